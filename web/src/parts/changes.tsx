// The newest changes of the clusters, in words.
import type { JSX } from 'preact';
import type { Change } from '../api/types';
import { time } from '../lib/format';
import { links } from '../router';
import { Key } from './plain';

function ClusterLink({ id }: { id: string }): JSX.Element {
  return <a href={links.cluster(id)}>cluster {id}</a>;
}

function DocumentLink({ id }: { id: string | null }): JSX.Element {
  return (
    <a href={links.document(id ?? '')}>
      <Key text={id ?? ''} />
    </a>
  );
}

function Words({ change }: { change: Change }): JSX.Element {
  const here = <ClusterLink id={change.cluster} />;
  const other = change.other ?? '';
  switch (change.kind) {
    case 'joined':
      return (
        <>
          <DocumentLink id={change.document} /> joined {here}
        </>
      );
    case 'left':
      return (
        <>
          <Key text={change.document ?? ''} /> left {here}
        </>
      );
    case 'merged':
      return (
        <>
          cluster {other} merged into {here}
        </>
      );
    case 'split':
      return (
        <>
          <ClusterLink id={other} /> split off {here}
        </>
      );
    case 'kept':
      return (
        <>
          {here} keeps <DocumentLink id={change.document} />
        </>
      );
    case 'dissolved':
      return <>cluster {change.cluster} has no documents any more</>;
  }
}

export function Changes({ changes }: { changes: Change[] }): JSX.Element {
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li>
          <time dateTime={change.time}>{time(change.time)}</time>
          <span class="change-words">
            <Words change={change} />
          </span>
          <span class="quiet">{change.reason}</span>
        </li>
      ))}
    </ul>
  );
}
