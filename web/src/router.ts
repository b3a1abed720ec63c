// Which view does the address ask for? Keys of documents stand in the query, because they may contain any character.
import { useEffect, useState } from 'preact/hooks';

export type Route =
  | { view: 'overview' }
  | { view: 'clusters'; minimum: number; after: string; page: number }
  | { view: 'cluster'; id: string; member: string | null; other: string | null }
  | { view: 'document'; key: string }
  | { view: 'review'; cluster: string | null }
  | { view: 'decisions' }
  | { view: 'try'; mode: 'texts' | 'index' }
  | { view: 'missing' };

const wholeNumber = /^\d{1,20}$/;

export function readRoute(path: string, search: string): Route {
  const names = path.split('/').filter((name) => name !== '');
  const parameters = new URLSearchParams(search);
  const [first, second] = names;
  if (names.length === 0) return { view: 'overview' };
  if (names.length === 1 && first === 'clusters') {
    const minimum = Number(parameters.get('min') ?? 2);
    const page = Number(parameters.get('page') ?? 1);
    return { view: 'clusters', minimum: minimum >= 2 ? minimum : 2, after: parameters.get('after') ?? '', page: page >= 1 ? page : 1 };
  }
  if (names.length === 2 && first === 'clusters' && second !== undefined && wholeNumber.test(second)) {
    return { view: 'cluster', id: second, member: parameters.get('member'), other: parameters.get('with') };
  }
  if (names.length === 1 && first === 'documents') return { view: 'document', key: parameters.get('key') ?? '' };
  if (names.length === 1 && first === 'review') return { view: 'review', cluster: null };
  if (names.length === 2 && first === 'review' && second !== undefined && wholeNumber.test(second)) {
    return { view: 'review', cluster: second };
  }
  if (names.length === 1 && first === 'decisions') return { view: 'decisions' };
  if (names.length === 1 && first === 'try') return { view: 'try', mode: parameters.get('mode') === 'index' ? 'index' : 'texts' };
  return { view: 'missing' };
}

export const links = {
  cluster: (id: string, member?: string, other?: string): string => {
    const search = new URLSearchParams();
    if (member !== undefined) search.set('member', member);
    if (other !== undefined) search.set('with', other);
    return `/clusters/${id}${search.size > 0 ? `?${search}` : ''}`;
  },
  clusters: (minimum: number, after = '', page = 1): string => {
    const search = new URLSearchParams();
    if (minimum > 2) search.set('min', String(minimum));
    if (after !== '') {
      search.set('page', String(page));
      search.set('after', after);
    }
    return `/clusters${search.size > 0 ? `?${search}` : ''}`;
  },
  document: (key: string): string => `/documents?${new URLSearchParams({ key })}`,
  review: (cluster?: string): string => (cluster === undefined ? '/review' : `/review/${cluster}`),
};

const moved = 'neardup:moved';

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (address === window.location.pathname + window.location.search) return;
  if (how === 'push') window.history.pushState(null, '', address);
  else window.history.replaceState(null, '', address);
  window.dispatchEvent(new Event(moved));
}

// Links of this page change the view without loading it again. Other buttons and keys keep their meaning.
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.origin !== window.location.origin || link.target !== '' || link.hasAttribute('download') || link.hash !== '') return;
  event.preventDefault();
  go(link.pathname + link.search);
}

export function useRoute(): Route {
  const read = (): Route => readRoute(window.location.pathname, window.location.search);
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const update = (): void => setRoute(read());
    window.addEventListener('popstate', update);
    window.addEventListener(moved, update);
    document.addEventListener('click', follow);
    return () => {
      window.removeEventListener('popstate', update);
      window.removeEventListener(moved, update);
      document.removeEventListener('click', follow);
    };
  }, []);
  return route;
}
