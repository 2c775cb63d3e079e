"""Reads the state of a tool result that is plain text: shapes of failure, of success, of waiting and of nothing found.

A reader must not miss: content is not status. A page, a file or a search hit that quotes an error is an ordinary
result, so for tools that return content only a short text that opens with a failure counts.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

TextState = Literal["ok", "failed", "pending", "empty", "unknown"]

HEAD_CHARS = 600
TAIL_CHARS = 1_200
SHORT_CHARS = 400
"""A status message is short; longer texts are content, of which only the opening and the end may be status."""


class TextReading(Struct, frozen=True):
    """What a text says about its call. ``source`` is ``exit_code``, ``http_status`` or ``text``; confidence is 0..1."""

    state: TextState
    source: Literal["exit_code", "http_status", "text", "none"]
    confidence: float
    reason: str
    exit_code: int | None = None


_UNKNOWN = TextReading("unknown", "none", 0.0, "the text does not say")

_EXIT = re.compile(
    r"""(?im)^[ \t\[(<{"']{0,8}(?:the[ ]|last[ ]|shell[ ])?(?:command|process|script|program|job|task|bash)?[ ]?
    (?:has[ ]|was[ ])?(?:finished|completed|exited|failed|terminated|returned|ended)?[ ]?(?:with[ ]|and[ ])?(?:an?[ ])?(?:non-zero[ ])?
    (?:exit[ _]?(?:code|status)|return[ _]?code|returncode|exit|exited[ ]with)["']?[ \t]{0,3}[:=>]?[ \t]{0,3}(-?\d{1,5})\b[^\n]{0,40}$""",
    re.VERBOSE,
)
_EXIT_TAG = re.compile(r"<(?:return_?code|exit_?code)>\s{0,4}(-?\d{1,5})\s{0,4}</")
_EXIT_INLINE = re.compile(
    r"(?i)\b(?:command|process|script|it) (?:has )?(?:failed|exited|finished|completed|terminated) with (?:exit )?(?:code|status) (-?\d{1,5})\b"
    r"|\bexit(?:ed)? (?:with )?(?:status|code):? (-?\d{1,5})[.)\]]?\s*\Z"
)

_KILLED = re.compile(
    r"(?im)^[^\n]{0,300}\b(?:timed out and (?:has been |was )?(?:been )?killed|execution timed out|command timed out|"
    r"timed out after \d|timeout: the monitored command|killed by signal|out of memory|oom-?killed)\b|^(?:timed out|killed|timeout|terminated)\.?\s*$"
)
_NO_FAILURE = re.compile(
    r"(?i)\b(?:no|0|zero|without(?: any)?|any) (?:[\w-]{1,20} )?(?:errors?|failures?|problems?|issues?|exceptions?|warnings?)\b"
    r"|\b(?:errors?|failures?|failed|exceptions?)[\"']?\s?[:=]\s?[\"']?(?:0\b|none\b|null\b|\[\]|false\b|no\b|\{\}|[\"'])"
)

_OPENING = re.compile(
    r"""(?ix)^[\s#>*\-\[(<"'`]{0,12}(?:var_\w{1,10}\s=\s["'])?(?:
      (?:tool[ _-]?(?:call[ ]|use[_ ]|execution[ ])?|api[ ]|runtime[ ]|fatal[ ]|internal[ ]|http[ ]|server[ ]|system[ ]|validation[ ]|syntax[ ]|type[ ]|
         value[ ]|key[ ]|unexpected[ ]|unhandled[ ]|uncaught[ ]|unknown[ ]|input[ ]|request[ ]|network[ ]|connection[ ])?
         (?:error|err|exception|failure)s?["'`\])>]{0,3}\s{0,2}(?::|-\s|—|\bin\b|\bwhile\b|\bwhen\b|\bexecuting\b|\brunning\b|\bcalling\b|
         \boccurred\b|\bcode\b|\(|\d{3}\b|!|\n|$)
    | (?:[A-Za-z_][\w.]{0,60}\.)?[A-Z]\w{0,40}(?:Error|Exception|Failure|Fault)\b["']?\s{0,2}(?::|\(|$|\n|\])
    | traceback\s\(most\srecent\scall\slast\)
    | (?:an?|the)\s(?:[\w-]{1,20}\s)?(?:error|exception|problem)\s(?:has\s)?(?:occurred|was|happened|while|when|in\b)
    | an?\s(?:[\w-]{1,20}\s)?(?:error|exception)\b
    | failed\b(?!\s(?:tests?\spassed|logins?\b)) | failure\b\s?(?::|-)
    | (?:i\s)?(?:could|can|did|do|does|was|is|were)(?:\s?not|n['’]t)\b
    | cannot\b | unable\sto\b | invalid\b | illegal\b | unauthori[sz]ed\b | forbidden\b | bad\srequest\b | not\s(?:allowed|authori[sz]ed|permitted|supported|implemented|available)\b
    | unsupported\b | unrecogni[sz]ed\b | unknown\s(?:tool|command|function|argument|option|action|parameter|method)\b
    | permission\sdenied | access\sdenied | denied\b | rejected\b | refused\b | timeout\b | timed\sout\b | request\stimed\sout | missing\s(?:required|argument|parameter|value|field)
    | rate\slimit | too\smany\srequests | quota\sexceeded | service\sunavailable | internal\sserver\serror | connection\s(?:refused|reset|error|timed|closed)
    | fatal(?::|\serror) | panic: | segmentation\sfault | core\sdumped | abort(?:ed|ing)\b | ❌ | ✗ | 🚫 | ⛔
    | (?:user|human)\s(?:has\s)?(?:rejected|denied|declined|cancelled|doesn['’]t\swant) | no\ssuch\b
    | no\s(?:replacement|change|edit|match)s?\s(?:was|were|could|performed|made)\b | old_str(?:ing)?\b | string\sto\sreplace\snot\sfound
    | (?:your|the|this)\s(?:[\w-]{1,20}\s){1,4}(?:(?:has|have|had)\s)?(?:failed\b|introduced\s(?:new\s)?(?:[\w-]{1,20}\s)?errors?|(?:was|were|is|could|did|does|has|have)\s?(?:not|n['’]t)\b|(?:was|were|been)\s(?:rejected|denied|declined|refused))
    | command\s(?:failed|not\sfound) | (?:http[/ ]?(?:\d\.\d)?\s?)?(?:status[: ]{0,2})?[45]\d\d\s(?:bad|unauthori[sz]ed|payment|forbidden|not\sfound|method|not\saccept|request\stime|conflict|gone|
         precondition|payload|unprocessable|too\smany|internal|not\simpl|bad\sgateway|service|gateway|client\serror|server\serror|error)
    )"""
)
_OPENING_STRONG = re.compile(
    r"""(?ix)^[\s#>*\-\[(<"'`]{0,12}(?:var_\w{1,10}\s=\s["'])?(?:
      (?:tool[ _-]?(?:call[ ]|use[_ ]|execution[ ])?|api[ ]|fatal[ ]|internal[ ])?(?:error|exception)["'`\])>]{0,3}\s{0,2}(?::|\bexecuting\b|\bin\ssending\b|\bwhile\b|\bcalling\b|\brunning\b|\boccurred\b)
    | (?:[A-Za-z_][\w.]{0,60}\.)?[A-Z]\w{0,40}(?:Error|Exception)\b\s{0,2}(?::|\()
    | traceback\s\(most\srecent\scall\slast\)
    | fatal: | panic: | command\sfailed | execution\stimed\sout | ❌
    )"""
)
_BROKEN = re.compile(
    r"""(?ix)\b(?:
      (?:does|did|do)(?:\s?not|n['’]t)\s(?:exist|match|have|contain|support|add\sup|belong|appear|allow)
    | not\s(?:found|available|enough|allowed|permitted|authori[sz]ed|valid|supported|eligible|exist|executed|completed|implemented|successful|accepted|possible|recogni[sz]ed)
    | can(?:not|['’]t|\snot)\sbe\b | could(?:\s?not|n['’]t)\b | was(?:\s?not|n['’]t)\s(?:able|successful|created|sent|found|updated|saved)
    | (?:has|have|had)\s(?:failed|introduced\s(?:new\s)?(?:[\w-]{1,20}\s)?errors?) | fail(?:ed|s)\b | already\s(?:exists?|taken|booked|in\suse|cancelled|canceled)
    | insufficient | exceeds?\b | exceeded\b | invalid\b | denied\b | rejected\b | declined\b | unauthori[sz]ed | forbidden | expired\b
    | must\s(?:be|have|match|contain|provide|specify)\b | should\s(?:be|match|have)\b | is\srequired\b | missing\b | introduced\s(?:new\s)?(?:[\w-]{1,20}\s)?error
    | error(?:s|\(s\))?\b | exception\b | unavailable\b | timed\sout | unable\sto | conflict\b | out\sof\sstock | sold\sout | no\slonger\s(?:available|valid)
    )"""
)
_NOTHING = re.compile(
    r"""(?ix)^[\s\[(<"'`]{0,6}(?:
      (?:sorry,?\s)?(?:there\s(?:are|is|were|was)\s)?(?:no|0|zero)\s(?:[\w'-]{1,30}\s){0,4}?(?:results?|match(?:es)?|records?|rows?|entries|items?|hits?|documents?|files?|events?|
        emails?|messages?|data|content|output|users?|orders?|contacts?|lines|tools?|references|information|availability|flights?|hotels?|rooms?|slots?|products?|transactions?|customers?|accounts?)\b
        (?:\s(?:were|was|are|is|have\sbeen|could\sbe))?(?:\s(?:found|available|returned|match\w{0,3}|exist|for|in|with|to\sdisplay))?
    | nothing\s(?:found|matched|to\s(?:show|display|list))
    | none\sfound | not\sfound | empty(?:\s(?:result|response|list|set))? | found\s(?:0|no)\b | 0\s(?:results?|matches|rows|hits|files)
    | (?:[\w#@.'-]{1,60}\s){1,5}(?:was\s|were\s|is\s|could\s)?(?:not\s(?:be\s)?found|does(?:\s?not|n['’]t)\sexist)
    )"""
)
_EMPTY_WORDS = frozenset(
    {"", "null", "none", "nil", "undefined", "{}", "[]", "()", '""', "''", "n/a", "[{}]", "no output", "(no output)",
     "[no output]", "<no output>", "(empty)", "no content", "<system>tool ran without output or errors</system>"}
)  # fmt: skip
_GOOD = re.compile(
    r"(?ix)^[\s\[(<\"'`✅✓✔☑🎉*-]{0,12}(?:success(?:ful(?:ly)?)?\b|ok\b|okay\b|done\b|completed?\b|accepted\b|created\b|updated\b|deleted\b|sent\b|saved\b|added\b|removed\b|booked\b|true\b|"
    r"your\s[\w\s-]{1,40}\s(?:has|have)\sbeen\b|[\w#@.'/-]{1,60}(?:\s[\w#@.'/-]{1,60}){0,8}\s(?:has\sbeen\s|have\sbeen\s|was\s|were\s|is\snow\s)?(?:successfully\b|"
    r"(?:created|updated|deleted|sent|saved|added|removed|booked|cancelled|canceled|edited|written|successful|accepted|submitted|completed|transferred|installed|moved|renamed)\b))"
)
_WAITING = re.compile(
    r"(?ix)^[\s\[(<\"'`⏳-]{0,12}(?:(?:http\s)?202\b|(?:[\w#@.'/-]{1,60}\s){0,8}?(?:queued|enqueued|in\sprogress|in_progress|still\srunning|being\sprocessed|"
    r"(?:is|are|currently|now)\sprocessing|processing\b|awaiting\b|waiting\sfor\b|pending\s(?:approval|review|confirmation)|pending\b|running\sin\s(?:the\s)?background|started\sin\s(?:the\s)?background)|accepted\sfor\sprocessing|"
    r"your\srequest\s(?:has\sbeen|was)\s(?:received|accepted|queued))"
)
_HTTP = re.compile(
    r"(?i)\bHTTP(?:/\d(?:\.\d)?)?[ :]{1,2}(?:error |status |code ){0,2}:?\s?([1-5]\d\d)\b|\bstatus(?:[ _]?code)?[ :=]{1,3}([1-5]\d\d)\b|\((?:HTTP )?([45]\d\d)(?: [A-Z][\w ]{2,30})?\)"
)
_REPR_FALSE = re.compile(
    r"""^\{['"](?:success|ok|status|error|isError|succeeded)['"]:\s{0,2}(False|false|['"](?:error|failed|failure)['"])"""
    r"""|^\{['"](?:error|errors|exception)['"]:\s{0,2}(?!None|null|\[\]|False|false|0\b|['"]{2})"""
)

_SHELL_LAST = re.compile(
    r"""(?x)^(?:
      (?:[A-Za-z_][\w.]{0,60}\.)?[A-Z]\w{0,40}(?:Error|Exception|Interrupt|Exit|Failure)\b(?::|$|\s\()
    | (?:/bin/|/usr/bin/)?(?:ba|z|da|k)?sh:\s
    | [\w./+-]{1,60}:\s(?:(?:line\s)?\d{1,6}:\s)?[^\n]{0,200}(?:command\snot\sfound|No\ssuch\sfile\sor\sdirectory|[Pp]ermission\sdenied|not\sfound|Is\sa\sdirectory|[Ii]nvalid\soption|cannot\s\w+|can't\s\w+)
    | (?:fatal|error|Error|ERROR|E|npm\sERR!|npm\serror|make(?:\[\d\])?):\s
    | npm\sERR! | make(?:\[\d+\])?:\s\*\*\* | Segmentation\sfault | Aborted\b | Killed$ | Bus\serror
    | COMMAND\sFAILED | EXECUTION\sTIMED\sOUT | error(?:\[E\d+\])?: | ERROR[ :]
    | [^\n]{0,120}:\s(?:command\s)?not\sfound$ | usage:\s[^\n]{0,100}
    | [\w./-]{1,60}:\serror:\s | curl:\s\(\d
    )"""
)
_SHELL_HEAD = re.compile(
    r"(?x)^(?:Exit\scode:?\s[1-9]|Command\sfailed|<tool_use_error>|The\slast\scommand\s[\s\S]{0,300}timed\sout|COMMAND\sFAILED|EXECUTION\sTIMED)"
)
_YAML_LINE = re.compile(r"^[\w -]{1,80}:(?:\s|$)")


def read_exit_code(text: str) -> int | None:
    """Return the exit code a text states on a line of its own, near its start or end; ``None`` when there is none."""
    low = text if len(text) <= HEAD_CHARS + TAIL_CHARS else text[:HEAD_CHARS] + "\n" + text[-TAIL_CHARS:]
    lowered = low.lower()
    if (
        "exit" not in lowered
        and "return" not in lowered
        and "with code" not in lowered
        and "with status" not in lowered
    ):
        return None
    found = None
    for found in _EXIT.finditer(low):  # noqa: B007
        pass
    if found is None:
        found = _EXIT_TAG.search(low) or _EXIT_INLINE.search(low)
    if found is None:
        return None
    return int(next(group for group in found.groups() if group is not None))


def read_text(text: str, *, returns_content: bool, is_shell: bool, is_read: bool, is_write: bool) -> TextReading:
    """Say what a plain text means as a result. ``returns_content`` and the others describe the tool that gave it."""
    stripped = text.strip()
    if stripped[:2] == "<<" and stripped[-2:] == ">>":
        stripped = stripped[2:-2].strip()
    if not stripped or (len(stripped) < 60 and stripped.lower() in _EMPTY_WORDS):
        return TextReading("empty", "text", 0.9, "the result is empty")
    if is_shell:
        return _read_shell_text(stripped, returns_content)
    if returns_content:
        return _read_content(stripped)
    return _read_status_text(stripped, is_read=is_read, is_write=is_write)


def _exit_reading(code: int) -> TextReading:
    if code:
        return TextReading("failed", "exit_code", 0.97, f"exit code {code}", code)
    return TextReading("ok", "exit_code", 0.9, "exit code 0", 0)


def _read_shell_text(text: str, prints_content: bool) -> TextReading:
    code = read_exit_code(text)
    if code is not None:
        return _exit_reading(code)
    ends = text if len(text) <= HEAD_CHARS + TAIL_CHARS else text[:HEAD_CHARS] + "\n" + text[-TAIL_CHARS:]
    if _KILLED.search(ends):
        return TextReading("failed", "text", 0.85, "timed out or was killed")
    if _SHELL_HEAD.match(text) and (not prints_content or len(text) <= SHORT_CHARS):
        return TextReading("failed", "text", 0.8, "opens with a failure of the command")
    last = text.rsplit("\n", 1)[-1].strip()[:400]
    is_one_line = "\n" not in text
    if _SHELL_LAST.match(last) and (not prints_content or is_one_line) and not _NO_FAILURE.search(last):
        return TextReading("failed", "text", 0.75, f"ends with: {last[:80]}")
    return _UNKNOWN


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0][:SHORT_CHARS]


def _read_content(text: str) -> TextReading:
    """Content is not status: only a short text that is nothing but a failure, or nothing found, counts."""
    if len(text) > 1_500 or text.count("\n") > 12:
        return TextReading("ok", "text", 0.6, "content was returned")
    if _OPENING_STRONG.match(text) and not _NO_FAILURE.search(_first_line(text)):
        return TextReading("failed", "text", 0.85, f"opens with: {_first_line(text)[:80]}")
    if len(text) <= SHORT_CHARS and text.count("\n") <= 2:
        if _NOTHING.match(text):
            return TextReading("empty", "text", 0.8, "nothing was found")
        if _OPENING.match(text) and not _NO_FAILURE.search(text):
            return TextReading("failed", "text", 0.7, f"opens with: {_first_line(text)[:80]}")
    code = read_exit_code(text) if len(text) <= SHORT_CHARS else None
    if code:
        return _exit_reading(code)
    return TextReading("ok", "text", 0.6, "content was returned")


def _read_status_text(text: str, *, is_read: bool, is_write: bool) -> TextReading:
    first = _first_line(text)
    clears = _NO_FAILURE.search(first) is not None
    is_short = len(text) <= SHORT_CHARS
    if _REPR_FALSE.match(text):
        return TextReading("failed", "text", 0.85, f"opens with: {first[:80]}")
    if is_read and is_short and _NOTHING.match(text):
        return TextReading("empty", "text", 0.75, "nothing was found")
    if not clears and (_OPENING_STRONG.match(text) or (_OPENING.match(text) and (is_short or not is_read))):
        return TextReading("failed", "text", 0.85, f"opens with: {first[:80]}")
    if is_short:
        found = _HTTP.search(text)
        if found:
            status = int(next(group for group in found.groups() if group))
            if status >= 400:
                return TextReading("failed", "http_status", 0.85, f"HTTP {status}")
            if status == 202:
                return TextReading("pending", "http_status", 0.8, "HTTP 202 Accepted")
    code = read_exit_code(text)
    if code:
        return _exit_reading(code)
    if _KILLED.search(text[:HEAD_CHARS]):
        return TextReading("failed", "text", 0.8, "timed out or was killed")
    if not is_read and _WAITING.match(text) and is_short:
        return TextReading("pending", "text", 0.7, f"says: {first[:80]}")
    if _GOOD.match(first):
        return TextReading("ok", "text", 0.75, f"says: {first[:80]}")
    if is_short and not clears and text[:1] not in "{[<-" and not _YAML_LINE.match(first):
        found = _BROKEN.search(_first_sentence(text))
        if found:
            return TextReading("failed", "text", 0.65, f"says: {first[:80]}")
    elif (
        is_write
        and is_short
        and not clears
        and _BROKEN.search(_first_sentence(text))
        and not is_read
        and text[:1] not in "{["
    ):
        return TextReading("unknown", "text", 0.3, f"may say it failed: {first[:60]}")
    return _UNKNOWN


def _first_sentence(text: str) -> str:
    found = re.search(r"[.!?](?:\s|$)", text)
    return text[: found.end()] if found else text
