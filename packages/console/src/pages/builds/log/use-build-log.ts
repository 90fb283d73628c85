import { useEffect, useRef, useState } from 'react';
import type { AppRef } from '../../../api/apps.ts';
import { type Build, watchBuildLog } from '../../../api/builds/builds.ts';
import { appendText } from './log-lines.ts';

/** Delay before a refused stream is requested again; browsers reconnect broken streams themselves. */
const LATER = 5000;
/** Batches updates: rendering each chunk would be slower than the log. */
const DRAWN_EVERY = 100;

/** Streams a build's log from its beginning, and its status. */
export function useBuildLog({ owner_name, app_name }: AppRef, id: number) {
  const lines = useRef<string[]>([]);
  const [, setDrawn] = useState(0);
  const [build, setBuild] = useState<Build>();
  const [isOver, setOver] = useState(false);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round restarts the stream
  useEffect(() => {
    const read: string[] = [];
    lines.current = read;
    let drawing: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      drawing ??= setTimeout(() => {
        drawing = undefined;
        setDrawn((count) => count + 1);
      }, DRAWN_EVERY);
    };
    const source = watchBuildLog({ owner_name, app_name }, id);
    source.addEventListener('log', ({ data }) => {
      appendText(read, (JSON.parse(data) as { text: string }).text);
      draw();
    });
    source.addEventListener('build', ({ data }) => {
      const update = JSON.parse(data) as Build;
      setBuild(update);
      if (update.status !== 'completed') return;
      // The whole log was received before.
      source.close();
      setOver(true);
      draw();
    });
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) again = setTimeout(() => setRound((count) => count + 1), LATER);
    });
    return () => {
      clearTimeout(drawing);
      clearTimeout(again);
      source.close();
    };
  }, [owner_name, app_name, id, round]);
  return { lines: lines.current, build, isOver };
}
