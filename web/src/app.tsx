// The frame of the page: navigation, theme, and the view that the address asks for.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Page } from './parts/page';
import { Empty } from './parts/states';
import { type Route, useRoute } from './router';
import { Cluster } from './views/cluster';
import { Clusters } from './views/clusters';
import { Decisions } from './views/decisions';
import { Document } from './views/document';
import { Overview } from './views/overview';
import { Review } from './views/review';
import { TryIt } from './views/try_it';

const entries: { href: string; words: string; views: Route['view'][] }[] = [
  { href: '/', words: 'Overview', views: ['overview'] },
  { href: '/clusters', words: 'Clusters', views: ['clusters', 'cluster', 'document'] },
  { href: '/review', words: 'Review', views: ['review'] },
  { href: '/decisions', words: 'Decisions', views: ['decisions'] },
  { href: '/try', words: 'Try it', views: ['try'] },
];

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

function storedTheme(): Theme {
  const stored = localStorage.getItem('neardup.theme');
  return themes.find((theme) => theme === stored) ?? 'auto';
}

function ThemeChoice(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    localStorage.setItem('neardup.theme', theme);
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <label class="theme">
      <span class="hidden">Colours</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        <option value="auto">Auto</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

function View({ route }: { route: Route }): JSX.Element {
  switch (route.view) {
    case 'overview':
      return <Overview />;
    case 'clusters':
      return <Clusters minimum={route.minimum} after={route.after} page={route.page} />;
    case 'cluster':
      return <Cluster key={route.id} id={route.id} member={route.member} other={route.other} />;
    case 'document':
      return <Document key={route.key} documentKey={route.key} />;
    case 'review':
      return <Review cluster={route.cluster} />;
    case 'decisions':
      return <Decisions />;
    case 'try':
      return <TryIt mode={route.mode} />;
    case 'missing':
      return (
        <Page title="Not found">
          <Empty title="There is nothing at this address">
            <p>
              <a href="/">Go to the overview</a>
            </p>
          </Empty>
        </Page>
      );
  }
}

export function App(): JSX.Element {
  const route = useRoute();
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header>
        <a class="brand" href="/" aria-label="neardup, overview">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect class="brand-back" x="3" y="3" width="18" height="18" rx="4" />
            <rect class="brand-front" x="11" y="11" width="18" height="18" rx="4" />
          </svg>
          neardup
        </a>
        <nav aria-label="Views">
          {entries.map((entry) => (
            <a href={entry.href} aria-current={entry.views.includes(route.view) ? 'page' : undefined}>
              {entry.words}
            </a>
          ))}
        </nav>
        <ThemeChoice />
      </header>
      <View route={route} />
    </>
  );
}
