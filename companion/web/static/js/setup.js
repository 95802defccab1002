// Set-up: a colour that is chosen for one seat moves away from the other. Without this script the server says so.
const seats = [...document.querySelectorAll(".seatrows li")];
const chosen = (row) => row.querySelector(".cols input:checked");
document.addEventListener("change", (e) => {
  if (!e.target.matches(".cols input")) return;
  const mine = e.target.closest("li");
  const free = new Set([...mine.querySelectorAll(".cols input")].map((i) => i.value));
  for (const row of seats) free.delete(chosen(row)?.value);
  for (const row of seats) {
    if (row === mine || chosen(row)?.value !== e.target.value) continue;
    const other = row.querySelector(`.cols input[value="${[...free][0]}"]`);
    if (other) other.checked = true;
  }
});
