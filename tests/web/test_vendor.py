"""The vendored scripts are byte for byte those whose checksums stand beside them, and no page loads anything else
from afar.
"""

import hashlib
import re
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "companion" / "web"
VENDOR = WEB / "static" / "vendor"


def test_checksums_of_vendored_scripts() -> None:
    listed = dict(re.findall(r"\| `([^`]+)` \| `([0-9a-f]{64})` \|", (VENDOR / "README.md").read_text("utf-8")))
    found = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in VENDOR.glob("*.js")}
    assert found == listed
    assert (VENDOR / "LICENSE-htmx").read_text("utf-8").startswith("Zero-Clause BSD")


def test_no_template_or_style_names_another_host() -> None:
    for path in [*WEB.glob("templates/**/*.html"), *WEB.glob("static/*.css"), *WEB.glob("static/js/*.js")]:
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//[a-z0-9.-]+\.[a-z]{2,}", text), path
