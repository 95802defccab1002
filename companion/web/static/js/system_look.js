// Nobody has chosen day or night on this device: it is night where the system is dark, before anything is drawn.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => { document.documentElement.dataset.theme = dark.matches ? "night" : "day"; };
follow();
dark.addEventListener?.("change", follow);
