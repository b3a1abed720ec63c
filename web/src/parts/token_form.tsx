// The service may ask for a token. It is kept for this tab only.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { setToken } from '../api/client';

export function TokenForm(): JSX.Element {
  const [value, setValue] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    setToken(value.trim());
    window.location.reload();
  };
  return (
    <form class="token" onSubmit={submit}>
      <label>
        Access token
        <input type="password" autocomplete="off" value={value} onInput={(event) => setValue(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary">
        Use this token
      </button>
    </form>
  );
}
