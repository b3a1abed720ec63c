// Why does a document belong to its cluster? By its score with the kept one, or through others, which are named.
import type { JSX } from 'preact';
import { checkStored } from '../api/calls';
import type { ClusterMember, Definition } from '../api/types';
import { criterion, score } from '../lib/format';
import { useLoad } from '../lib/use_load';
import { links } from '../router';
import { Key } from './plain';

const linksShown = 5;

function Through({ member, cluster, measure }: { member: string; cluster: string; measure: string }): JSX.Element {
  const found = useLoad(member, (signal) => checkStored(member, linksShown + 1, signal));
  if (found.error !== undefined) return <>It is linked to it through other documents.</>;
  if (found.data === undefined) return <>Looking for the documents that link the two…</>;
  const others = found.data.filter((match) => match.id !== member && match.cluster === cluster).slice(0, linksShown);
  if (others.length === 0) return <>No document links them any more: the cluster is about to change.</>;
  return (
    <>
      It belongs here through{' '}
      {others.map((match, place) => (
        <>
          {place > 0 && ', '}
          <a href={links.cluster(cluster, member, match.id)}>
            <Key text={match.id} />
          </a>{' '}
          ({score(measure, match.score)})
        </>
      ))}
      .
    </>
  );
}

export function Why({ member, cluster, definition }: { member: ClusterMember; cluster: string; definition: Definition }): JSX.Element {
  const rule = criterion(definition.measure, definition.threshold);
  if (member.kept) return <p class="why">This is the kept document. The others are compared with it.</p>;
  if (member.score !== null) {
    return (
      <p class="why">
        A near-duplicate of the kept document: {definition.measure} <b>{score(definition.measure, member.score)}</b> meets {rule}.
        {definition.measure === 'hamming' && (
          <span class="quiet"> Only simhashes were compared, and a text with a chosen simhash can be forged.</span>
        )}
      </p>
    );
  }
  return (
    <p class="why">
      Not itself a near-duplicate of the kept document ({rule}). <Through member={member.id} cluster={cluster} measure={definition.measure} />
    </p>
  );
}
