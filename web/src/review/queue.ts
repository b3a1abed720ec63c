// Which cluster comes next? Reads the service's list page by page, as far as it is needed.
import { getClusters } from '../api/calls';

const pageSize = 100;

export class ClusterQueue {
  private readonly ids: string[] = [];
  private token: string | null = '';

  private async readMore(): Promise<boolean> {
    if (this.token === null) return false;
    const page = await getClusters(2, pageSize, this.token);
    for (const cluster of page.clusters) if (!this.ids.includes(cluster.id)) this.ids.push(cluster.id);
    this.token = page.next;
    return page.clusters.length > 0;
  }

  // The cluster after `id`; of an unknown id the first one that is not it. Null: that was the last.
  async after(id: string | null): Promise<string | null> {
    let place = id === null ? -1 : this.ids.indexOf(id);
    while (place + 1 >= this.ids.length && (await this.readMore())) {
      if (id !== null) place = this.ids.indexOf(id);
    }
    return this.ids[place + 1] ?? null;
  }

  before(id: string): string | null {
    return this.ids[this.ids.indexOf(id) - 1] ?? null;
  }
}
