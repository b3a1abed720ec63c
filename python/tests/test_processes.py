"""Signals, threads, forks and the end of the interpreter. Each case is a process of its own; none waits for a clock."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

PRELUDE = """
import os, signal, sys, threading, time
sys.path.insert(0, {tests!r})
from conftest import FOX, FOXES, make_corpus
import neardup

def long_call(on_stage=None):
    # Every pair of 30,000 similar texts: minutes of work.
    base = " ".join(f"w{{n}}" for n in range(300))
    texts = [f"{{base}} x{{n}}" for n in range(30_000)]
    def progress(stage, done, total, unit):
        if on_stage is not None:
            on_stage(stage)
    return neardup.pairs(texts, threshold=0.5, progress=progress)
"""


def run(code, timeout=120, **more):
    script = PRELUDE.format(tests=os.path.dirname(__file__)) + textwrap.dedent(code)
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=timeout, check=False, **more
    )


def test_ctrl_c_stops_a_call_and_raises_keyboard_interrupt():
    done = run("""
        sent = []
        def interrupt(stage):
            if not sent:
                sent.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)
        try:
            long_call(interrupt)
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - sent[0])
        print(neardup.deduplicate(FOXES))
    """)
    assert done.returncode == 0, done.stderr
    word, seconds = done.stdout.splitlines()[0].split()
    assert word == "interrupted"
    assert "Result(2 kept, 1 removed)" in done.stdout
    print(f"stopped after {float(seconds):.3f} s")  # shown by pytest -s; bench/python measures it


def test_a_signal_handler_that_raises_decides_what_comes_out():
    done = run("""
        class Alarm(Exception):
            pass
        def handler(number, frame):
            raise Alarm("time is up")
        signal.signal(signal.SIGUSR1, handler)
        sent = []
        try:
            long_call(lambda stage: sent or sent.append(os.kill(os.getpid(), signal.SIGUSR1)))
        except Alarm as alarm:
            print("alarm:", alarm)
    """)
    assert done.stdout == "alarm: time is up\n", done.stderr


def test_what_a_progress_function_raises_stops_the_call():
    done = run("""
        def stop(stage):
            raise LookupError(stage)
        try:
            long_call(stop)
        except LookupError as error:
            print("stopped")
    """)
    assert done.stdout == "stopped\n", done.stderr


def test_other_threads_run_while_a_call_works():
    done = run("""
        started, steps = threading.Event(), []
        def work():
            try:
                long_call(lambda stage: started.set())
            except neardup.InterruptedCallError:
                pass
        threading.Thread(target=work, daemon=True).start()
        started.wait()
        for step in range(1000):
            steps.append(neardup.simhash(FOX))
        print(len(steps))
    """)
    assert done.stdout == "1000\n", done.stderr
    assert done.returncode == 0


def test_the_interpreter_can_end_while_a_daemon_thread_is_in_a_call():
    done = run("""
        started = threading.Event()
        threading.Thread(target=long_call, args=(lambda stage: started.set(),), daemon=True).start()
        started.wait()
        print("leaving")
    """)
    assert done.stdout == "leaving\n"
    assert done.returncode == 0, done.stderr


def test_calls_after_the_end_are_refused():
    done = run("""
        import atexit
        def late():
            try:
                neardup.deduplicate(FOXES)
            except neardup.InterruptedCallError as error:
                print(error.code, error)
        neardup._core.stop_all_calls()
        late()
    """)
    assert done.stdout == "interrupted the interpreter is shutting down\n", done.stderr


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_of_every_kind_can_call_after_the_parent_has(method):
    done = run(f"""
        import multiprocessing
        def kept(seed):
            return neardup.deduplicate(make_corpus(500, seed)).kept_rows.tolist()
        if __name__ == "__main__":
            mine = [kept(seed) for seed in range(3)]
            if {method!r} == "fork":
                with multiprocessing.get_context("fork").Pool(2) as pool:
                    print(pool.map(kept, range(3)) == mine)
            else:
                import concurrent.futures, process_worker as worker
                context = multiprocessing.get_context({method!r})
                with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
                    print(list(pool.map(worker.kept, range(3))) == mine)
    """)
    assert done.stdout == "True\n", done.stderr


def test_a_fork_in_the_middle_of_a_call_gets_a_clear_message():
    done = run("""
        started = threading.Event()
        threading.Thread(target=long_call, args=(lambda stage: started.set(),), daemon=True).start()
        started.wait()
        child = os.fork()
        if child == 0:
            try:
                neardup.deduplicate(FOXES)
            except neardup.UsageError as error:
                print("spawn" in str(error), flush=True)
            os._exit(0)
        os.waitpid(child, 0)
    """)
    assert done.stdout == "True\n", done.stderr


def test_two_threads_deduplicate_at_once():
    done = run("""
        texts = make_corpus(2000, 4)
        expected = neardup.deduplicate(texts).kept
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(neardup.deduplicate(texts).kept)) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(answers == [expected] * 4)
    """)
    assert done.stdout == "True\n", done.stderr


def test_two_threads_share_one_result():
    done = run("""
        result = neardup.deduplicate(make_corpus(1000, 4))
        seen = []
        threads = [threading.Thread(target=lambda: seen.append(len(result.pairs))) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(set(seen)))
    """)
    assert done.stdout == "1\n", done.stderr


def test_signals_are_left_alone():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
