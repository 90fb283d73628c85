import { adminLive_watch, HealthEvents_Watch, HealthWebhookDeliveries_Watch, healthVersion } from '@mooring/contract';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queries } from './client.ts';

/** Addresses of streams that say when something changed. */
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

/** One stream for all parts of a page that listen to it: a browser opens only a few connections to a server. */
const streams = new Map<string, Stream>();

const tell = ({ listeners }: Stream): void => {
  for (const listener of listeners) listener();
};

/** A browser comes again by itself, with the id of the last event, until it is refused. */
function open(url: string, stream: Stream): void {
  stream.source = new EventSource(url);
  stream.source.addEventListener('changed', () => tell(stream));
}

function close(stream: Stream): void {
  stream.source?.close();
  stream.source = undefined;
}

/** A page that nobody looks at listens to nothing, and is read again when somebody does. */
document.addEventListener('visibilitychange', () => {
  for (const [url, stream] of streams) {
    if (document.visibilityState === 'hidden') close(stream);
    else if (!stream.source) {
      open(url, stream);
      tell(stream);
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

/** Reads again what this key stands for whenever the server says that it changed, as long as the page is looked at. */
export function useLive(url: string, queryKey: QueryKey): void {
  const key = JSON.stringify(queryKey);
  useEffect(() => listen(url, () => void queries.invalidateQueries({ queryKey: JSON.parse(key) })), [url, key]);
}
