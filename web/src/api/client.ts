// How does the page talk to the service? One place adds the token, reads JSON, and turns problem+json into an ApiError.

const tokenName = 'neardup.token';

export class ApiError extends Error {
  readonly status: number; // 0: no answer
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

// Tokens live as long as the tab and are sent in a header, never in an address.
export function setToken(token: string): void {
  if (token === '') sessionStorage.removeItem(tokenName);
  else sessionStorage.setItem(tokenName, token);
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal | undefined;
}

function headers(options: RequestOptions): Headers {
  const result = new Headers({ Accept: 'application/json' });
  const token = sessionStorage.getItem(tokenName);
  if (token !== null) result.set('Authorization', `Bearer ${token}`);
  if (options.body !== undefined) result.set('Content-Type', 'application/json');
  return result;
}

async function failure(response: Response): Promise<ApiError> {
  let code = '';
  let message = '';
  try {
    const problem: unknown = await response.json();
    if (typeof problem === 'object' && problem !== null) {
      const { code: named, type, title, detail } = problem as Record<string, unknown>;
      code = String(named ?? type ?? '');
      message = String(detail ?? title ?? '');
    }
  } catch {
    // A proxy's answer, for example: the status has to do.
  }
  return new ApiError(response.status, code, message || `The server answered with status ${response.status}.`);
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: options.method ?? 'GET',
      headers: headers(options),
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'unreachable', 'The server does not answer. Is neardup serve still running?');
  }
  if (!response.ok) throw await failure(response);
  return response;
}

export async function requestJson(path: string, options: RequestOptions = {}): Promise<unknown> {
  const response = await send(path, options);
  if (response.status === 204) return null;
  return response.json();
}

export async function requestText(path: string, options: RequestOptions = {}): Promise<string> {
  return (await send(path, options)).text();
}

export function query(parameters: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
