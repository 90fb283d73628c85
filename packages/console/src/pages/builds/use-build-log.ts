import { useEffect, useRef, useState } from 'react';
import type { AppRef } from '../../api/apps.ts';
import { type Build, watchBuildLog } from '../../api/builds.ts';
import { appendText } from './log-lines.ts';

/** When a stream was refused, it is asked for again after so long; a broken one the browser opens again by itself. */
const LATER = 5000;
/** Drawing each part by itself would be slower than the log. */
const DRAWN_EVERY = 100;

/** The log of a build from its beginning, as it is written, and the build as it changes. */
export function useBuildLog({ owner_name, app_name }: AppRef, id: number) {
  const lines = useRef<string[]>([]);
  const [, setDrawn] = useState(0);
  const [build, setBuild] = useState<Build>();
  const [isOver, setOver] = useState(false);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round begins anew
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
      const told = JSON.parse(data) as Build;
      setBuild(told);
      if (told.status !== 'completed') return;
      // All of its log came before.
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
