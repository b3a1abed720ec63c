// What did people decide? Each decision can be withdrawn; all of them can be exported.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getDecisions, withdraw } from '../api/calls';
import type { Decision } from '../api/types';
import { count, counted, time } from '../lib/format';
import { useLoad } from '../lib/use_load';
import { Page } from '../parts/page';
import { Key, Plain } from '../parts/plain';
import { Empty, Failed, Loading } from '../parts/states';
import { asJsonLines } from '../review/model';
import { links } from '../router';

const rowsShown = 200;
const kindWords = { same: 'same', separate: 'not the same', keep: 'keep', note: 'note' };

function save(decisions: Decision[]): void {
  const address = URL.createObjectURL(new Blob([asJsonLines(decisions)], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'decisions.jsonl';
  link.click();
  URL.revokeObjectURL(address);
}

function DocumentCell({ id }: { id: string | null }): JSX.Element {
  return (
    <td class="key-cell">
      {id !== null && (
        <a href={links.document(id)}>
          <Key text={id} />
        </a>
      )}
    </td>
  );
}

function Row({ decision, changed }: { decision: Decision; changed: () => void }): JSX.Element {
  const [problem, setProblem] = useState<unknown>();
  const take = (): void => void withdraw(decision.id).then(changed, setProblem);
  return (
    <tr>
      <td class="quiet">{time(decision.time)}</td>
      <td>
        <span class={`tag tag-${decision.kind}`}>{kindWords[decision.kind]}</span>
      </td>
      <DocumentCell id={decision.a} />
      <DocumentCell id={decision.b} />
      <td>
        <bdi>
          <Plain text={decision.author} />
        </bdi>
      </td>
      <td class="note-cell">
        <bdi dir="auto">
          <Plain text={decision.note} />
        </bdi>
      </td>
      <td>
        <button type="button" class="link" onClick={take} aria-label={`Withdraw decision ${decision.id}`}>
          Withdraw
        </button>
        {problem !== undefined && (
          <span class="problem" role="alert">
            {problem instanceof Error ? problem.message : String(problem)}
          </span>
        )}
      </td>
    </tr>
  );
}

export function Decisions(): JSX.Element {
  const loaded = useLoad('decisions', (signal) => getDecisions(signal));
  const [most, setMost] = useState(rowsShown);
  const { data } = loaded;
  const exportButton = data !== undefined && data.length > 0 && (
    <button type="button" onClick={() => save(data)}>
      Export {counted(data.length, 'decision')} as JSONL
    </button>
  );
  return (
    <Page title="Decisions" aside={exportButton}>
      {loaded.error !== undefined && <Failed error={loaded.error} retry={loaded.reload} />}
      {loaded.loading && <Loading what="decisions" />}
      {data !== undefined && data.length === 0 && (
        <Empty title="No decisions yet">
          <p>
            Decide about near-duplicates in <a href={links.review()}>Review</a>. Decisions stay in the index and apply to documents that are added
            later.
          </p>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <div class="scroll">
          <table class="list">
            <caption class="hidden">Decisions, newest first</caption>
            <thead>
              <tr>
                {['Time', 'Decision', 'Document', 'Other document', 'By', 'Note'].map((name) => (
                  <th scope="col">{name}</th>
                ))}
                <th scope="col">
                  <span class="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {[...data]
                .reverse()
                .slice(0, most)
                .map((decision) => (
                  <Row key={decision.id} decision={decision} changed={loaded.reload} />
                ))}
            </tbody>
          </table>
        </div>
      )}
      {data !== undefined && data.length > most && (
        <p class="more">
          {count(data.length - most)} more
          <button type="button" onClick={() => setMost(most * 4)}>
            Show more
          </button>
        </p>
      )}
    </Page>
  );
}
