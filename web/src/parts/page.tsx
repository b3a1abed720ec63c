// The frame of a view: its title, which also names the tab and receives the focus when the view changes.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Properties {
  title: string;
  heading?: ComponentChildren; // instead of the title
  aside?: ComponentChildren;
  wide?: boolean;
  children: ComponentChildren;
}

let firstView = true;

export function Page({ title, heading, aside, wide, children }: Properties): JSX.Element {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · neardup`;
  }, [title]);
  useEffect(() => {
    if (!firstView) element.current?.focus({ preventScroll: true });
    firstView = false;
  }, []);
  return (
    <main id="main" class={wide === true ? 'wide' : ''}>
      <div class="page-head">
        <h1 ref={element} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {aside}
      </div>
      {children}
    </main>
  );
}
