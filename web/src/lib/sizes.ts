// How large are the clusters? Sizes are grouped by powers of two.
import { getClusters } from '../api/calls';

export interface SizeGroup {
  least: number;
  most: number;
  clusters: number;
}

export interface Sizes {
  groups: SizeGroup[];
  read: number; // clusters that were counted
  complete: boolean; // false: there are more, which were not read
}

export function groupSizes(sizes: number[]): SizeGroup[] {
  const groups: SizeGroup[] = [];
  for (const size of sizes) {
    const place = Math.floor(Math.log2(size)) - 1; // 2-3, 4-7, 8-15, ...
    while (groups.length <= place) groups.push({ least: 2 ** (groups.length + 1), most: 2 ** (groups.length + 2) - 1, clusters: 0 });
    const group = groups[place];
    if (group !== undefined) group.clusters += 1;
  }
  return groups;
}

const pageSize = 1000;
const mostPages = 20;

export async function readSizes(signal: AbortSignal): Promise<Sizes> {
  const sizes: number[] = [];
  let after = '';
  for (let page = 0; page < mostPages; page += 1) {
    const { clusters, next } = await getClusters(2, pageSize, after, signal);
    for (const cluster of clusters) sizes.push(cluster.documents);
    if (next === null) return { groups: groupSizes(sizes), read: sizes.length, complete: true };
    after = next;
  }
  return { groups: groupSizes(sizes), read: sizes.length, complete: false };
}
