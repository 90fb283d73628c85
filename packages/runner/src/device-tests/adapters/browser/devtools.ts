/** A DevTools event of a page, which has a session ID. */
export interface DevtoolsEvent {
  method: string;
  params: Record<string, unknown>;
  sessionId?: string;
}

export interface Devtools {
  send(method: string, params?: object, sessionId?: string): void;
  /** Resolves when the browser closes the connection. */
  closed: Promise<void>;
}

/** Connects to the browser at a local port. Ignores the host in the URL that the browser reports, so it can't redirect the runner. */
export async function openDevtools(port: number, onEvent: (event: DevtoolsEvent) => void): Promise<Devtools> {
  const response = await fetch(`http://127.0.0.1:${port}/json/version`, { signal: AbortSignal.timeout(2000) });
  const { webSocketDebuggerUrl } = (await response.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(`ws://127.0.0.1:${port}${new URL(webSocketDebuggerUrl).pathname}`);
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error("Can't connect to the browser.")));
  });
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Partial<DevtoolsEvent>;
    if (message.method !== undefined) onEvent({ params: {}, ...message, method: message.method });
  });
  let lastId = 0;
  return {
    closed,
    send(method, params = {}, sessionId) {
      lastId += 1;
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    },
  };
}
