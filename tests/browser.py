"""Drives a real headless Chromium over its debugging pipe: no driver, no library, no port.

A reader must not miss: the browser may reach loopback addresses only, every request it tries is recorded, and so is every
error on its console, so that a test can show that a page asked for nothing else.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--hide-scrollbars", "--mute-audio",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", "--remote-debugging-pipe",
)  # fmt: skip
ANSWER_S = 30.0

_START = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
)


def find_chromium() -> str | None:
    """Return the path of a Chromium, or ``None`` when there is none on this machine."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name)) is not None), None)


class Browser:
    """A running Chromium. ``page`` opens a tab of its own profile."""

    def __init__(self, executable: str, folder: Path) -> None:
        to_child, self._writing = os.pipe()
        self._reading, from_child = os.pipe()
        no_sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        command = [executable, *FLAGS, *no_sandbox, f"--user-data-dir={folder}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(to_child), str(from_child), *command],
            pass_fds=(to_child, from_child),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self._numbers = itertools.count(1)
        self._waiting: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._listeners: dict[str, Callable[[str, dict[str, Any]], None]] = {}
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Send one command and return its result. Raises ``RuntimeError`` when the browser refuses or is silent."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._waiting[number] = answers
        with self._lock:
            data = json.dumps(message).encode() + b"\0"
            while data:
                data = data[os.write(self._writing, data) :]
        try:
            answer = answers.get(timeout=ANSWER_S)
        except queue.Empty:
            raise RuntimeError(f"the browser does not answer to {method}") from None
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def page(self, *, width: int = 1280, height: int = 800, scheme: str = "light") -> Page:
        """Open a tab with an empty profile."""
        context = self.send("Target.createBrowserContext")["browserContextId"]
        target = self.send("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, context)
        self._listeners[session] = page.take
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.send(f"{domain}.enable")
        page.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        return page

    def close(self) -> None:
        """End the browser."""
        try:
            self.send("Browser.close")
            self._process.wait(10)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._thread.join(5)
        os.close(self._writing)
        os.close(self._reading)

    def _listen(self) -> None:
        rest = b""
        while True:
            try:
                data = os.read(self._reading, 1 << 16)
            except OSError:
                return
            if not data:
                return
            *messages, rest = (rest + data).split(b"\0")
            for raw in messages:
                message = json.loads(raw)
                if "id" in message:
                    self._waiting.pop(message["id"]).put(message)
                elif (listener := self._listeners.get(message.get("sessionId", ""))) is not None:
                    listener(message["method"], message["params"])


class Page:
    """One tab. ``requests`` holds every address it asked for, ``errors`` what its console and policy complained of."""

    def __init__(self, browser: Browser, session: str, context: str) -> None:
        self._browser = browser
        self._session = session
        self._context = context
        self.requests: list[str] = []
        self.errors: list[str] = []

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send one command to this tab."""
        return self._browser.send(method, self._session, **parameters)

    def take(self, method: str, parameters: dict[str, Any]) -> None:
        """Take one event of this tab."""
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(str(details.get("exception", {}).get("description") or details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(argument.get("value", "")) for argument in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")

    def go(self, url: str) -> None:
        """Go to an address and wait until its scripts have run."""
        self.send("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page; a promise is awaited."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def until(self, condition: str, timeout_s: float = 10.0) -> Any:
        """Wait until an expression is truthy and return it. Raises ``TimeoutError`` naming it."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            try:
                value = self.run(condition)
            except RuntimeError:
                value = None  # the page is between two documents
            if value:
                return value
            time.sleep(0.02)
        raise TimeoutError(f"not true in {timeout_s} s: {condition}")

    def press(self, key: str) -> None:
        """Press and release a key, as a person would."""
        named = {"Enter": ("Enter", "\r", 13), "Escape": ("Escape", "", 27), "Tab": ("Tab", "", 9)}
        name, text, code = named.get(key, (key, key, ord(key.upper()) if len(key) == 1 else 0))
        common: dict[str, Any] = {"key": name, "windowsVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        """Put text into the focused field."""
        self.send("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Click the middle of the first element that a selector finds."""
        find = f"document.querySelector({json.dumps(selector)})"
        box = self.until(
            f"(() => {{ const e = {find}; if (!e) return null; e.scrollIntoView({{block: 'center'}});"
            " const b = e.getBoundingClientRect(); return b.width ? [b.x + b.width / 2, b.y + b.height / 2] : null; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def text(self, selector: str) -> str:
        """Return the text a person sees in the first element a selector finds, empty for none."""
        return str(self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def picture(self, path: Path) -> None:
        """Write what is seen to a PNG file."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def close(self) -> None:
        """Close the tab and forget its profile."""
        self._browser.send("Target.disposeBrowserContext", browserContextId=self._context)


@contextmanager
def running_browser(executable: str) -> Iterator[Browser]:
    """Give a browser with an empty profile and end it afterwards."""
    with tempfile.TemporaryDirectory(prefix="claimcheck-browser-", ignore_cleanup_errors=True) as folder:
        browser = Browser(executable, Path(folder))
        try:
            yield browser
        finally:
            browser.close()
