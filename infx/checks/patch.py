"""No installed engine file is changed, unless a waiver in the same pull request says why and how long."""

import re

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Line, Subject

ID = "no-engine-patch"
SHOWN = 8
PACKAGES = r"(?:site-packages|dist-packages)"
INSTALLED = rf"(?:{PACKAGES}|/opt/(?:sglang|vllm|venv)|/(?:sgl|vllm)-workspace|/usr/local/lib/python)"
ENGINES = r"(?:sglang|sgl_kernel|vllm|tensorrt_llm|atom|aiter)"
WORDS = r"\b(?:cp|mv|install|ln|rsync)\b"
SELF = r"__file__|__path__"


def ordered(*parts: str) -> str:
    """An expression for these parts one after the other, with anything between them. It reads nothing twice,
    where `a.*b.*c` takes minutes for one long line."""
    return "^" + "".join(f"(?>.*?(?:{part}))" for part in parts)


RULES = (
    ("git apply", r"\bgit\s+(?:-\S+\s+\S+\s+){0,20}(?:apply|am)\b"),
    ("patch", r"(?:^|[;&|]|\s)patch\s+(?:-\S+|<|\S+\.(?:py|patch|diff))"),
    ("edits an installed file", ordered(r"\b(?:sed|perl)\b", r"\s-\w*i\b", INSTALLED)),
    (
        "edits a source file in place",
        ordered(r"\b(?:sed|perl)\b", r"\s-\w*i\S*\s", r"\.(?:py|cu|cuh|cpp|so|jinja)\b"),
    ),
    ("writes an installed file", rf"(?:>|\btee\b(?:\s+-a)?)\s*[\"']?[^\s\"'>]{{0,300}}{INSTALLED}"),
    ("writes an installed file", ordered(WORDS, INSTALLED)),
    ("writes the engine's own file", ordered(rf">|\btee\b|{WORDS}", SELF)),
    ("writes the engine's own file", ordered(r"open\(|write_text|write_bytes", rf"{SELF}|{INSTALLED}")),
    ("site-packages", PACKAGES),
    ("looks where the engine is installed", ordered(rf"{ENGINES}\b", rf"{SELF}|find_spec")),
    ("looks where the engine is installed", ordered(r"(?:find_spec|pip3?\s+show)\W", rf"{ENGINES}\b")),
    ("monkey-patch", r"monkey[_-]?patch|sitecustomize|usercustomize"),
    ("monkey-patch", rf"\bsetattr\(\s*{ENGINES}\b|^\s*{ENGINES}(?:\.\w+)+\s*=[^=]"),
    ("code of its own that imports the engine", rf"^(?:import|from)\s+{ENGINES}\b"),
    (
        "forked or own wheel",
        ordered(r"\bpip3?\s+install\b", r"git\+|\.whl|--force-reinstall|-e\s+\S|--editable"),
    ),
)
"""What it is, and how an added line shows it."""
FILES = re.compile(r"\.(?:patch|diff)$")
PARTS = {
    "what": r"what|patch|change",
    "why": r"why|reason|because",
    "upstream link": r"https?://\S+",
    "removal plan": r"remov|until|revert|drop",
}


def check(subject: Subject, sheet: Sheet) -> Finding:
    places = [
        f"{one.path}: a patch file"
        for one in subject.files
        if FILES.search(one.path) and one.status != "removed"
    ]
    places += [f"{line.place}: {name}" for line in subject.added if (name := patches(line))]
    if not places:
        return Finding(check=ID, grade=Grade.PASS, what="no installed engine file is changed")
    evidence = tuple(places[:SHOWN])
    if subject.waiver is None:
        what = f"an engine is patched; take it out, or write {subject.waiver_path}"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=evidence)
    lacking = [name for name, words in PARTS.items() if not re.search(words, subject.waiver, re.IGNORECASE)]
    if lacking:
        what = f"{subject.waiver_path} does not say: {', '.join(lacking)}"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=evidence)
    return Finding(check=ID, grade=Grade.PASS, what=f"waived by {subject.waiver_path}", evidence=evidence)


def patches(line: Line) -> str:
    """What an added line does to an engine; empty for nothing. A comment does nothing."""
    text = line.text.strip()
    if text.startswith("#"):
        return ""
    return next((name for name, pattern in RULES if re.search(pattern, text, re.IGNORECASE)), "")
