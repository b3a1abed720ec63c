// Waiting, failed, nothing there: every view says which.
import type { ComponentChildren, JSX } from 'preact';
import { ApiError } from '../api/client';
import { TokenForm } from './token_form';

export function Loading({ what }: { what: string }): JSX.Element {
  return (
    <p class="state" role="status">
      <span class="spinner" aria-hidden="true" /> Loading {what}…
    </p>
  );
}

export function Failed({ error, retry }: { error: unknown; retry?: () => void }): JSX.Element {
  const message = error instanceof Error ? error.message : String(error);
  const status = error instanceof ApiError ? error.status : 0;
  return (
    <div class="state state-failed" role="alert">
      <p class="state-title">{status === 404 ? 'Not found' : 'This did not work'}</p>
      <p>{message}</p>
      {(status === 401 || status === 403) && <TokenForm />}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children}
    </div>
  );
}
