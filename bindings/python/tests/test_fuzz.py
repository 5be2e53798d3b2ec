"""Generated calls. tests/fuzz makes more of them, and repeats one."""

import os
import pathlib
import subprocess
import sys


def test_generated_calls():
    fuzz = pathlib.Path(__file__).parent / 'fuzz'
    done = subprocess.run([sys.executable, '-B', fuzz, '--calls', '20000', '--seed', '1'], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '20000 calls' in done.stdout


def test_findings_are_found(tmp_path):
    """A call that ends its process is named, and those after it are made."""
    fuzz = pathlib.Path(__file__).parent / 'fuzz'
    (tmp_path / 'sitecustomize.py').write_text('''
import sys
if '--replay' in sys.argv or '--progress' in sys.argv:
    import os, ndforge
    def die(value, dtype=None):
        os.kill(os.getpid(), 11)
    ndforge.from_dlpack = die
''')
    done = subprocess.run([sys.executable, '-B', fuzz, '--calls', '20', '--seed', '1', '--kinds', 'conversions'], capture_output=True,
                          text=True, env=dict(os.environ, PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get('PYTHONPATH', '')])))
    assert done.returncode == 1 and 'signal SIGSEGV' in done.stdout and '20 calls' in done.stdout, done.stdout + done.stderr
