// What does a view show while data is on its way, when it came, and when it failed?
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  data: T | undefined; // stays while it is loaded again
  error: unknown;
  loading: boolean;
  reload: () => void;
}

// Runs `fetcher` when `key` changes, and ignores answers to earlier keys. `key` null: nothing to load.
export function useLoad<T>(key: string | null, fetcher: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string | null; data: T | undefined; error: unknown }>({
    key: null,
    data: undefined,
    error: undefined,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(fetcher);
  latest.current = fetcher;
  useEffect(() => {
    if (key === null) return undefined;
    const controller = new AbortController();
    latest.current(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ key, data, error: undefined });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState((old) => ({ key, data: old.key === key ? old.data : undefined, error }));
      },
    );
    return () => controller.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((value) => value + 1), []);
  const current = state.key === key;
  return {
    data: current ? state.data : undefined,
    error: current ? state.error : undefined,
    loading: key !== null && !current,
    reload,
  };
}

// Follows `value`, but takes a new one only after the last one was there for so long. `undefined` is replaced at once.
export function useCalm<T>(value: T, milliseconds: number): T {
  const held = useRef({ value, since: 0 });
  const now = performance.now();
  if (held.current.value !== value && (held.current.value === undefined || now - held.current.since >= milliseconds)) {
    held.current = { value, since: now };
  }
  return held.current.value;
}

// Calls `tick` now and then every `milliseconds`, but not while the page is hidden or the last call is still running.
export function usePoll(milliseconds: number, tick: (signal: AbortSignal) => Promise<void>): void {
  const latest = useRef(tick);
  latest.current = tick;
  useEffect(() => {
    const controller = new AbortController();
    let timer = 0;
    const run = async (): Promise<void> => {
      if (!document.hidden) await latest.current(controller.signal).catch(() => undefined);
      if (!controller.signal.aborted) timer = window.setTimeout(() => void run(), milliseconds);
    };
    void run();
    return () => {
      controller.abort();
      window.clearTimeout(timer);
    };
  }, [milliseconds]);
}
