"""A headless Chromium, driven through its debugging pipe. Needs only Python's standard library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60.0  # seconds: the longest wait for any step, on a busy machine too


def find():
    """The path of the browser, or None."""
    wanted = os.environ.get("NDFORGE_BROWSER")
    return shutil.which(wanted) if wanted else next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. `requests` are the addresses that it requested, `complaints` its console messages."""

    def __init__(self, program):
        self._profile = tempfile.mkdtemp(prefix="ndforge-browser-")
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()

        def place_pipe():  # Chromium reads commands from descriptor 3 and answers on descriptor 4
            commands, answers = os.dup(read_commands), os.dup(write_answers)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        options = [
            "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={self._profile}",
        ]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        self._process = subprocess.Popen([program, *options, "about:blank"], preexec_fn=place_pipe, close_fds=False,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_commands)
        os.close(write_answers)
        self._number, self._buffer, self._session = 0, b"", None
        self.requests, self.complaints = [], []
        self._loaded = set()
        try:
            self._attach()
        except BaseException:
            self.__exit__()
            raise

    def _attach(self):
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.command(domain + ".enable")
        self.command("Page.setLifecycleEventsEnabled", enabled=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._session = None
            self.command("Browser.close")
        except (OSError, EOFError):
            pass
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)

    def _message(self):
        while b"\0" not in self._buffer:
            data = os.read(self._answers, 1 << 20)
            if not data:
                raise EOFError("the browser has ended")
            self._buffer += data
        text, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(text)

    def command(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._event(answer)

    def _event(self, event):
        what, details = event.get("method"), event.get("params", {})
        if what == "Page.lifecycleEvent" and details["name"] == "load":
            self._loaded.add(details["loaderId"])
        elif what == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        elif what == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(details["exceptionDetails"]))
        elif what == "Log.entryAdded" and details["entry"]["level"] == "error":
            self.complaints.append(details["entry"]["text"])

    def open(self, address):
        wanted = self.command("Page.navigate", url=address)["loaderId"]
        while wanted not in self._loaded:
            self._event(self._message())

    def value(self, script):
        """The value of the script. Raises RuntimeError when the script throws."""
        result = self.command("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, script):
        """Waits until the script gives true."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if self.value(script):
                    return
            except RuntimeError:  # the page is being replaced
                pass
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.02)

    def type(self, text):
        self.command("Input.insertText", text=text)

    def press(self, key):
        codes = {"Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "/": 191, "Tab": 9}
        text = {"Enter": "\r", "/": "/"}.get(key)
        event = {"key": key, "code": "Slash" if key == "/" else key, "windowsVirtualKeyCode": codes[key]}
        self.command("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **event,
                     **({"text": text} if text else {}))
        self.command("Input.dispatchKeyEvent", type="keyUp", **event)

    def window(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def colours(self, scheme):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, are_on):
        self.command("Emulation.setScriptExecutionDisabled", value=not are_on)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"]))
