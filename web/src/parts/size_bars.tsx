// How many clusters have how many documents: a table whose rows have bars.
import type { JSX } from 'preact';
import { count, counted } from '../lib/format';
import type { Sizes } from '../lib/sizes';
import { links } from '../router';

export function SizeBars({ sizes }: { sizes: Sizes }): JSX.Element {
  const largest = Math.max(1, ...sizes.groups.map((group) => group.clusters));
  return (
    <>
      <table class="bars">
        <caption class="hidden">Clusters by number of documents</caption>
        <thead>
          <tr>
            <th scope="col">Documents</th>
            <th scope="col" class="number">
              Clusters
            </th>
            <th class="bar-head" aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {sizes.groups.map((group) => (
            <tr>
              <th scope="row">
                <a href={links.clusters(group.least)} title={`Clusters of ${group.least} documents and more`}>
                  {count(group.least)}–{count(group.most)}
                </a>
              </th>
              <td class="number">{count(group.clusters)}</td>
              <td aria-hidden="true">
                <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none">
                  <rect width={group.clusters === 0 ? 0 : Math.max((100 * group.clusters) / largest, 0.7)} height="10" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!sizes.complete && <p class="quiet">From {counted(sizes.read, 'cluster')}; the others were not read.</p>}
    </>
  );
}
