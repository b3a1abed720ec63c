// What does the index know of one document?
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getDocument } from '../api/calls';
import type { StoredDocument } from '../api/types';
import { bytes, count } from '../lib/format';
import { useLoad } from '../lib/use_load';
import { Page } from '../parts/page';
import { Key, LongText, Plain } from '../parts/plain';
import { Empty, Failed, Loading } from '../parts/states';
import { links } from '../router';

const firstBytes = 200_000;

function Facts({ data }: { data: StoredDocument }): JSX.Element {
  return (
    <dl class="properties">
      <dt>Cluster</dt>
      <dd>
        <a href={data.kept ? links.cluster(data.cluster) : links.cluster(data.cluster, data.id)}>{data.cluster}</a>
        {data.kept ? <span class="tag tag-kept">kept</span> : <span class="quiet"> not the kept one</span>}
      </dd>
      <dt>Features</dt>
      <dd>{count(data.features)}</dd>
      <dt>Text</dt>
      <dd>{bytes(data.text_bytes)}</dd>
      {data.fingerprint !== null && (
        <>
          <dt>Fingerprint</dt>
          <dd>
            <code>{data.fingerprint}</code>
          </dd>
        </>
      )}
      {Object.entries(data.fields).map(([name, value]) => (
        <>
          <dt>
            <Plain text={name} />
          </dt>
          <dd>{value === null ? <span class="quiet">none</span> : <bdi><Plain text={value} /></bdi>}</dd>
        </>
      ))}
    </dl>
  );
}

export function Document({ documentKey }: { documentKey: string }): JSX.Element {
  const [limit, setLimit] = useState<number | undefined>(firstBytes);
  const loaded = useLoad(documentKey === '' ? null : `${limit} ${documentKey}`, (signal) => getDocument(documentKey, limit, signal));
  if (documentKey === '') {
    return (
      <Page title="Document">
        <Empty title="No key">
          <p>The address has to name a document: /documents?key=…</p>
        </Empty>
      </Page>
    );
  }
  const { data, error, reload } = loaded;
  const received = data?.text == null ? 0 : new TextEncoder().encode(data.text).length;
  return (
    <Page title="Document" heading={<Key text={documentKey} />}>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {loaded.loading && <Loading what="the document" />}
      {data !== undefined && (
        <>
          <Facts data={data} />
          {data.text === null ? (
            <Empty title="The text is not stored">
              <p>The index was created without texts.</p>
            </Empty>
          ) : (
            <LongText text={data.text} />
          )}
          {limit !== undefined && received < data.text_bytes && (
            <p class="more">
              The page has loaded {bytes(received)} of {bytes(data.text_bytes)}.
              <button type="button" onClick={() => setLimit(undefined)}>
                Load all of it
              </button>
            </p>
          )}
        </>
      )}
    </Page>
  );
}
