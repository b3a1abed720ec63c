// Why does a document belong to its cluster although its score with the kept one is too low? Other documents link the two.
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

export function Why({ member, cluster, definition }: { member: ClusterMember; cluster: string; definition: Definition }): JSX.Element | null {
  const rule = criterion(definition.measure, definition.threshold);
  if (member.kept) return null;
  if (member.score !== null) {
    if (definition.measure !== 'hamming') return null; // the comparison says it all
    return <p class="why quiet">Only simhashes decide here, and a text with a chosen simhash can be forged.</p>;
  }
  return (
    <p class="why">
      Not itself a near-duplicate of the kept document ({rule}). <Through member={member.id} cluster={cluster} measure={definition.measure} />
    </p>
  );
}
