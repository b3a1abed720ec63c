// Try it: compare two texts by every measure, or ask whether the index has seen a text.
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { check, compare, getStats } from '../api/calls';
import type { CheckResult, Compared, Comparison } from '../api/types';
import { criterion, score } from '../lib/format';
import { useLoad } from '../lib/use_load';
import { ComparisonPanel } from '../parts/comparison';
import { Page } from '../parts/page';
import { Key } from '../parts/plain';
import { Failed, Loading } from '../parts/states';
import { links } from '../router';

type State<T> = { step: 'idle' } | { step: 'running' } | { step: 'failed'; error: unknown } | { step: 'done'; result: T };

function useAnswer<T>(): [State<T>, (work: (signal: AbortSignal) => Promise<T>) => void] {
  const [state, setState] = useState<State<T>>({ step: 'idle' });
  const running = useRef<AbortController | null>(null);
  const start = (work: (signal: AbortSignal) => Promise<T>): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ step: 'running' });
    work(controller.signal).then(
      (result) => running.current === controller && setState({ step: 'done', result }),
      (error: unknown) => running.current === controller && setState({ step: 'failed', error }),
    );
  };
  return [state, start];
}

function TextBox({ label, value, set, run }: { label: string; value: string; set: (text: string) => void; run: () => void }): JSX.Element {
  return (
    <label class="text-box">
      {label}
      <textarea
        dir="auto"
        rows={9}
        spellcheck={false}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          run();
        }}
      />
    </label>
  );
}

const exampleA = 'The quick brown fox jumps over the lazy dog near the bank of the river, while two old friends watch and say nothing at all.';
const exampleB = 'The quick brown fox leaps over the lazy dog near the bank of the river, while two old friends watch and say nothing at all!';

function TwoTexts(): JSX.Element {
  const [a, setA] = useState('');
  const [b, setB] = useState('');
  const [state, start] = useAnswer<Comparison>();
  const run = (left = a, right = b): void => start((signal) => compare({ text: left }, { text: right }, signal));
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <div class="text-boxes">
          <TextBox label="Left" value={a} set={setA} run={() => run()} />
          <TextBox label="Right" value={b} set={setB} run={() => run()} />
        </div>
        <p class="actions">
          <button type="submit" class="primary">
            Compare
          </button>
          <span class="quiet">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
          <button
            type="button"
            onClick={() => {
              setA(exampleA);
              setB(exampleB);
              run(exampleA, exampleB);
            }}
          >
            Use an example
          </button>
        </p>
      </form>
      <Answer state={state} what="the comparison">
        {(comparison) => <ComparisonPanel comparison={comparison} left="Left" right="Right" />}
      </Answer>
    </>
  );
}

interface AnswerProperties<T> {
  state: State<T>;
  what: string;
  children: (result: T) => JSX.Element;
}

function Answer<T>({ state, what, children }: AnswerProperties<T>): JSX.Element | null {
  if (state.step === 'idle') return null;
  if (state.step === 'running') return <Loading what={what} />;
  return state.step === 'failed' ? <Failed error={state.error} /> : children(state.result);
}

const matchesShown = 20;

function Matches({ text, result, measure }: { text: string; result: CheckResult; measure: string }): JSX.Element {
  const [chosen, setChosen] = useState(result.match?.id ?? '');
  const left: Compared = { text };
  const comparison = useLoad(chosen === '' ? null : chosen, (signal) => compare(left, { id: chosen }, signal));
  if (result.match === null) {
    return (
      <p class="verdict">
        <strong>New.</strong> <span class="quiet">The index has no near-duplicate of this text.</span>
      </p>
    );
  }
  return (
    <>
      <p class="verdict">
        <strong class="verdict-near-duplicates">Seen before.</strong>
        {result.match.evidence === 'simhash' && (
          <span class="quiet"> By its simhash only: a text with a chosen simhash can be forged.</span>
        )}
      </p>
      <ul class="members matches">
        {(result.matches ?? [result.match]).map((match) => (
          <li key={match.id}>
            <button type="button" class={match.id === chosen ? 'member current' : 'member'} aria-pressed={match.id === chosen} onClick={() => setChosen(match.id)}>
              <Key text={match.id} />
              <span class="number">{score(measure, match.score)}</span>
            </button>
            <a href={links.cluster(match.cluster, match.id)}>cluster {match.cluster}</a>
          </li>
        ))}
      </ul>
      {comparison.error !== undefined && <Failed error={comparison.error} retry={comparison.reload} />}
      {comparison.data !== undefined && <ComparisonPanel comparison={comparison.data} left="Your text" right={<Key text={chosen} />} />}
    </>
  );
}

function AgainstIndex(): JSX.Element {
  const [text, setText] = useState('');
  const [state, start] = useAnswer<{ text: string; result: CheckResult }>();
  const stats = useLoad('stats', (signal) => getStats(signal));
  const run = (): void => start(async (signal) => ({ text, result: await check(text, matchesShown, signal) }));
  const definition = stats.data?.definition;
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <TextBox label="Text" value={text} set={setText} run={run} />
        <p class="actions">
          <button type="submit" class="primary">
            Have I seen this?
          </button>
          <span class="quiet">
            {definition !== undefined && <>Looks for {criterion(definition.measure, definition.threshold)} on {definition.features}. Stores nothing.</>}
          </span>
        </p>
      </form>
      <Answer state={state} what="the answer">
        {(answer) => <Matches key={answer.text} text={answer.text} result={answer.result} measure={definition?.measure ?? ''} />}
      </Answer>
    </>
  );
}

export function TryIt({ mode }: { mode: 'texts' | 'index' }): JSX.Element {
  return (
    <Page title="Try it">
      <nav class="tabs" aria-label="What to try">
        <a href="/try" aria-current={mode === 'texts' ? 'page' : undefined}>
          Two texts
        </a>
        <a href="/try?mode=index" aria-current={mode === 'index' ? 'page' : undefined}>
          A text and the index
        </a>
      </nav>
      {mode === 'texts' ? <TwoTexts /> : <AgainstIndex />}
    </Page>
  );
}
