import { adminLive_watch, HealthEvents_Watch, HealthWebhookDeliveries_Watch, healthVersion } from '@mooring/contract';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queries } from './client.ts';

/** Paths of event streams that report changes. */
export const live = {
  jobs: adminLive_watch.path,
  health: HealthEvents_Watch.path,
  deliveries: (params: { subscriptionId: string; webhookId: string }): string =>
    `${HealthWebhookDeliveries_Watch.path
      .replace('{subscriptionId}', params.subscriptionId)
      .replace('{webhookId}', params.webhookId)}?${new URLSearchParams(healthVersion)}`,
};

interface Stream {
  source: EventSource | undefined;
  listeners: Set<() => void>;
}

/** All parts of a page share one stream per path: a browser opens only a few connections to one server. */
const streams = new Map<string, Stream>();

const notifyListeners = ({ listeners }: Stream): void => {
  for (const listener of listeners) listener();
};

/** Browsers reconnect with the last event ID until the server refuses. */
function open(url: string, stream: Stream): void {
  stream.source = new EventSource(url);
  stream.source.addEventListener('changed', () => notifyListeners(stream));
}

function close(stream: Stream): void {
  stream.source?.close();
  stream.source = undefined;
}

/** Hidden pages close their streams, and refetch when they become visible. */
document.addEventListener('visibilitychange', () => {
  for (const [url, stream] of streams) {
    if (document.visibilityState === 'hidden') close(stream);
    else if (!stream.source) {
      open(url, stream);
      notifyListeners(stream);
    }
  }
});

function listen(url: string, listener: () => void): () => void {
  const stream = streams.get(url) ?? { source: undefined, listeners: new Set() };
  if (!streams.has(url)) {
    streams.set(url, stream);
    if (document.visibilityState !== 'hidden') open(url, stream);
  }
  stream.listeners.add(listener);
  return () => {
    stream.listeners.delete(listener);
    if (stream.listeners.size > 0) return;
    close(stream);
    streams.delete(url);
  };
}

/** Refetches a query whenever the server reports a change, while the page is visible. */
export function useLive(url: string, queryKey: QueryKey): void {
  const key = JSON.stringify(queryKey);
  useEffect(() => listen(url, () => void queries.invalidateQueries({ queryKey: JSON.parse(key) })), [url, key]);
}
