// Compares two stored documents and shows the result.
import type { JSX } from 'preact';
import { compare } from '../api/calls';
import { useLoad } from '../lib/use_load';
import { links } from '../router';
import { ComparisonPanel } from './comparison';
import { Key } from './plain';
import { Failed, Loading } from './states';

function Name({ id, kept }: { id: string; kept: boolean }): JSX.Element {
  return (
    <>
      <a href={links.document(id)}>
        <Key text={id} />
      </a>
      {kept && <span class="tag tag-kept">kept</span>}
    </>
  );
}

interface Properties {
  a: string;
  b: string;
  kept: string; // the key of the document that the cluster keeps
}

export function PairPanel({ a, b, kept }: Properties): JSX.Element {
  const pair = useLoad(JSON.stringify([a, b]), (signal) => compare({ id: a }, { id: b }, signal));
  if (pair.error !== undefined) return <Failed error={pair.error} retry={pair.reload} />;
  if (pair.data === undefined) return <Loading what="the comparison" />;
  return (
    <ComparisonPanel
      comparison={pair.data}
      left={<Name id={a} kept={a === kept} />}
      right={<Name id={b} kept={b === kept} />}
    />
  );
}
