// Who is in a cluster, and why? A member is compared with the kept document, or with any other one.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getCluster, getStats } from '../api/calls';
import type { Cluster as ClusterData, ClusterMember, Definition } from '../api/types';
import { count, counted, criterion, score } from '../lib/format';
import { useLoad } from '../lib/use_load';
import { Page } from '../parts/page';
import { PairPanel } from '../parts/pair';
import { Key } from '../parts/plain';
import { Failed, Loading } from '../parts/states';
import { Why } from '../parts/why';
import { go, links } from '../router';

const pageSize = 200;

function Members({ cluster, current, measure }: { cluster: ClusterData; current: string; measure: string }): JSX.Element {
  return (
    <ul class="members">
      {cluster.members.map((member) => (
        <li key={member.id}>
          <a
            href={links.cluster(cluster.id, member.id)}
            class={member.id === current ? 'member current' : 'member'}
            aria-current={member.id === current ? 'true' : undefined}
          >
            <Key text={member.id} />
            {member.kept ? (
              <span class="tag tag-kept">kept</span>
            ) : (
              <span class="number" title={member.score === null ? 'Linked through other documents' : 'Score with the kept document'}>
                {member.score === null ? 'linked' : score(measure, member.score)}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

// The first member that is not the kept one; of a cluster of one, that one.
function firstMember(members: ClusterMember[]): string {
  return (members.find((member) => !member.kept) ?? members[0])?.id ?? '';
}

interface PanelProperties {
  cluster: ClusterData;
  current: string;
  other: string;
  definition: Definition;
}

function MemberPanel({ cluster, current, other, definition }: PanelProperties): JSX.Element {
  const member = cluster.members.find((entry) => entry.id === current);
  return (
    <section class="pane-main" aria-label="Comparison">
      {member !== undefined && <Why member={member} cluster={cluster.id} definition={definition} />}
      {cluster.members.length > 2 && (
        <label class="compare-with">
          Compare with{' '}
          <select value={other} onChange={(event) => go(links.cluster(cluster.id, current, event.currentTarget.value), 'replace')}>
            {cluster.members
              .filter((entry) => entry.id !== current)
              .map((entry) => (
                <option value={entry.id} key={entry.id}>
                  {entry.id}
                  {entry.kept ? ' (kept)' : ''}
                </option>
              ))}
          </select>
        </label>
      )}
      {other !== '' && current !== other && <PairPanel a={other} b={current} kept={cluster.kept} />}
    </section>
  );
}

interface Properties {
  id: string;
  member: string | null;
  other: string | null;
}

export function Cluster({ id, member, other }: Properties): JSX.Element {
  const [pages, setPages] = useState(1);
  const loaded = useLoad(`${id} ${pages}`, async (signal) => {
    const cluster = await getCluster(id, pageSize, '', signal);
    for (let page = 1; page < pages && cluster.next !== null; page += 1) {
      const more = await getCluster(id, pageSize, cluster.next, signal);
      cluster.members.push(...more.members);
      cluster.next = more.next;
    }
    return { cluster, definition: (await getStats(signal)).definition };
  });
  const title = `Cluster ${id}`;
  if (loaded.error !== undefined) {
    return (
      <Page title={title}>
        <Failed error={loaded.error} retry={loaded.reload} />
      </Page>
    );
  }
  if (loaded.data === undefined) {
    return (
      <Page title={title}>
        <Loading what="the cluster" />
      </Page>
    );
  }
  const { cluster, definition } = loaded.data;
  const current = member ?? firstMember(cluster.members);
  const compared = other ?? (current === cluster.kept ? firstMember(cluster.members.filter((entry) => entry.id !== current)) : cluster.kept);
  return (
    <Page title={title} wide aside={<a class="button" href={links.review(id)}>Review this cluster</a>}>
      <p class="definition">
        {counted(cluster.documents, 'document')}, by {criterion(definition.measure, definition.threshold)} on {definition.features}. Kept:{' '}
        <a href={links.document(cluster.kept)}>
          <Key text={cluster.kept} />
        </a>
      </p>
      <div class="panes">
        <nav class="pane-list" aria-label="Members">
          <Members cluster={cluster} current={current} measure={definition.measure} />
          {cluster.next !== null && (
            <p class="more">
              {count(cluster.documents - cluster.members.length)} more
              <button type="button" onClick={() => setPages(pages + 1)}>
                Show more
              </button>
            </p>
          )}
        </nav>
        <MemberPanel cluster={cluster} current={current} other={compared} definition={definition} />
      </div>
    </Page>
  );
}
