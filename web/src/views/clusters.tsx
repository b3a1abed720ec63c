// Which groups of near-duplicates are there? Paged on the server; a key leads to its cluster.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getClusters, getDocument } from '../api/calls';
import type { ClusterSummary } from '../api/types';
import { count } from '../lib/format';
import { useLoad } from '../lib/use_load';
import { Page } from '../parts/page';
import { Key } from '../parts/plain';
import { Empty, Failed, Loading } from '../parts/states';
import { go, links } from '../router';

const pageSize = 50;
const minimums = [2, 3, 5, 10, 100, 1000];

function KeySearch(): JSX.Element {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<unknown>();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (key === '') return;
    try {
      const found = await getDocument(key, 0);
      go(found.kept ? links.cluster(found.cluster) : links.cluster(found.cluster, found.id));
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <form class="search" role="search" onSubmit={(event) => void submit(event)}>
      <label class="hidden" for="key-search">
        Key of a document
      </label>
      <input
        id="key-search"
        type="search"
        placeholder="Key of a document, for example its path or URL"
        value={key}
        onInput={(event) => {
          setKey(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <button type="submit">Find its cluster</button>
      {problem !== undefined && (
        <span class="problem" role="alert">
          {problem instanceof Error ? problem.message : String(problem)}
        </span>
      )}
    </form>
  );
}

type Order = 'given' | 'largest' | 'smallest' | 'key';

function ordered(clusters: ClusterSummary[], order: Order): ClusterSummary[] {
  const copy = [...clusters];
  if (order === 'largest') copy.sort((x, y) => y.documents - x.documents);
  if (order === 'smallest') copy.sort((x, y) => x.documents - y.documents);
  if (order === 'key') copy.sort((x, y) => (x.kept < y.kept ? -1 : 1));
  return copy;
}

function ClusterTable({ clusters }: { clusters: ClusterSummary[] }): JSX.Element {
  return (
    <div class="scroll">
      <table class="list">
        <caption class="hidden">Clusters</caption>
        <thead>
          <tr>
            <th scope="col" class="number narrow">
              Documents
            </th>
            <th scope="col">Kept document</th>
            <th scope="col" class="narrow">
              Cluster
            </th>
            <th scope="col" class="narrow">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {clusters.map((cluster) => (
            <tr key={cluster.id}>
              <td class="number">{count(cluster.documents)}</td>
              <td class="key-cell">
                <a href={links.cluster(cluster.id)}>
                  <Key text={cluster.kept} />
                </a>
              </td>
              <td class="quiet">{cluster.id}</td>
              <td>
                <a href={links.review(cluster.id)} aria-label={`Review cluster ${cluster.id}`}>
                  Review
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Pages know only how to go on. This remembers how to go back, as long as the tab lives.
const previousOf = new Map<string, string>();

function Pager({ minimum, page, after, next }: { minimum: number; page: number; after: string; next: string | null }): JSX.Element {
  const previous = previousOf.get(after);
  if (next !== null) previousOf.set(next, after);
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 &&
        (previous === undefined ? (
          <a href={links.clusters(minimum)}>← First page</a>
        ) : (
          <a href={links.clusters(minimum, previous, page - 1)}>← Previous</a>
        ))}
      <span class="quiet">Page {count(page)}</span>
      {next !== null && <a href={links.clusters(minimum, next, page + 1)}>Next →</a>}
    </nav>
  );
}

export function Clusters({ minimum, after, page: number }: { minimum: number; after: string; page: number }): JSX.Element {
  const [order, setOrder] = useState<Order>('given');
  const page = useLoad(`${minimum} ${after}`, (signal) => getClusters(minimum, pageSize, after, signal));
  return (
    <Page title="Clusters">
      <div class="toolbar">
        <KeySearch />
        <label>
          At least{' '}
          <select value={minimum} onChange={(event) => go(links.clusters(Number(event.currentTarget.value)))}>
            {[...new Set([...minimums, minimum])]
              .sort((x, y) => x - y)
              .map((value) => (
                <option value={value} key={value}>
                  {count(value)} documents
                </option>
              ))}
          </select>
        </label>
        <label title="The service lists clusters in no particular order. This sorts the rows of one page.">
          Sort this page{' '}
          <select value={order} onChange={(event) => setOrder(event.currentTarget.value as Order)}>
            <option value="given">as listed</option>
            <option value="largest">largest first</option>
            <option value="smallest">smallest first</option>
            <option value="key">by key</option>
          </select>
        </label>
      </div>
      {page.error !== undefined ? (
        <Failed error={page.error} retry={page.reload} />
      ) : page.data === undefined ? (
        <Loading what="clusters" />
      ) : page.data.clusters.length === 0 ? (
        <Empty title={number > 1 ? 'No more clusters' : 'No clusters of this size'}>
          <p>{minimum > 2 ? 'Choose a smaller number of documents.' : 'No two documents of the index are near-duplicates.'}</p>
        </Empty>
      ) : (
        <ClusterTable clusters={ordered(page.data.clusters, order)} />
      )}
      {page.data !== undefined && (number > 1 || page.data.next !== null) && (
        <Pager minimum={minimum} page={number} after={after} next={page.data.next} />
      )}
    </Page>
  );
}
