import { useEffect, useState } from 'react';
import { type FlowLog, readLogFlow } from '../../api/analytics.ts';
import type { AppRef } from '../../api/apps.ts';

const DAY = 86_400_000;
const EVERY = 3000;
/** How far back it begins. */
const BEFORE = 15 * 60_000;
const MOST = 500;

export type NumberedLog = FlowLog & { key: string };

/** What came in the last minutes, and what comes while somebody looks. */
export function useLogFlow({ owner_name, app_name }: AppRef) {
  const [logs, setLogs] = useState<NumberedLog[]>();
  const [error, setError] = useState<Error | null>(null);
  const [isMore, setMore] = useState(false);
  const [isPaused, setPaused] = useState(false);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round begins anew.
  useEffect(() => {
    if (isPaused) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let count = 0;
    const today = (now: number) => Math.floor(now / DAY) * DAY;
    let start = new Date(Math.max(today(Date.now()), Date.now() - BEFORE)).toISOString();
    const look = async () => {
      // The flow is that of a day.
      if (Date.parse(start) < today(Date.now())) start = new Date(today(Date.now())).toISOString();
      let isFull = false;
      try {
        const answer = await readLogFlow({ owner_name, app_name }, start);
        if (isOver) return;
        start = answer.last_received_log_timestamp;
        isFull = answer.exceeded_max_limit;
        const news = answer.logs
          .map((log) => {
            count += 1;
            return { ...log, key: `${log.event_id ?? log.timestamp}-${count}` };
          })
          .reverse();
        setError(null);
        setLogs((before = []) => {
          const known = new Set(before.map((log) => identity(log)));
          const all = [...news.filter((log) => !known.has(identity(log))), ...before];
          setMore(all.length > MOST);
          return all.slice(0, MOST);
        });
      } catch (failure) {
        if (isOver) return;
        setError(failure instanceof Error ? failure : new Error(String(failure)));
      }
      timer = setTimeout(look, isFull ? 0 : EVERY);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [owner_name, app_name, isPaused, round]);
  return {
    logs,
    error: logs ? null : error,
    isMore,
    isPaused,
    toggle: () => setPaused(!isPaused),
    refetch: () => setRound(round + 1),
  };
}

/** After a pause the last minutes are read again. */
const identity = (log: FlowLog): string =>
  [log.type, log.timestamp, log.install_id, log.event_id ?? log.session_id ?? ''].join(' ');
