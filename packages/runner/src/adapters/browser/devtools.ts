/** What a page of the browser tells, by the session that it is. */
export interface DevtoolsEvent {
  method: string;
  params: Record<string, unknown>;
  sessionId?: string;
}

export interface Devtools {
  send(method: string, params?: object, sessionId?: string): void;
  /** The browser has ended, or hung up. */
  closed: Promise<void>;
}

/** Speaks with the browser that listens at a port of this machine; whatever it calls itself, no other is spoken to. */
export async function openDevtools(port: number, onEvent: (event: DevtoolsEvent) => void): Promise<Devtools> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/version`, { signal: AbortSignal.timeout(2000) });
  const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(`ws://127.0.0.1:${port}${new URL(webSocketDebuggerUrl).pathname}`);
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('The browser does not answer.')));
  });
  socket.addEventListener('message', ({ data }) => {
    const said = JSON.parse(String(data)) as Partial<DevtoolsEvent>;
    if (said.method !== undefined) onEvent({ params: {}, ...said, method: said.method });
  });
  let asked = 0;
  return {
    closed,
    send(method, params = {}, sessionId) {
      asked += 1;
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(JSON.stringify({ id: asked, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    },
  };
}
