import { useEffect, useState } from 'react';
import type { AppRef } from '../../../api/apps.ts';
import { type FlowLog, readLogFlow, watchLogFlow } from '../../../api/telemetry/analytics.ts';

const DAY = 86_400_000;
/** Delay before a refused stream is requested again; browsers reconnect broken streams themselves. */
const LATER = 5000;
/** Initial time range. */
const BEFORE = 15 * 60_000;
const MAX_LOGS = 500;

export type NumberedLog = FlowLog & { key: string };

let keys = 0;
const nextKey = (): string => {
  keys += 1;
  return String(keys);
};

/** Recent and incoming logs. */
export function useLogFlow({ owner_name, app_name }: AppRef) {
  const [logs, setLogs] = useState<NumberedLog[]>();
  const [error, setError] = useState<Error | null>(null);
  const [isMore, setMore] = useState(false);
  const [isPaused, setPaused] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (isPaused) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setRound(round + 1), LATER);
    };
    const add = (news: FlowLog[]) =>
      setLogs((before = []) => {
        const seen = new Set(before.map(identity));
        const fresh = news.filter((log) => !seen.has(identity(log)));
        const all = [...fresh.map((log) => ({ ...log, key: nextKey() })).reverse(), ...before];
        setMore(all.length > MAX_LOGS);
        return all.slice(0, MAX_LOGS);
      });
    // The stream opens before recent logs are read, so that no log is missed in between.
    const source = watchLogFlow({ owner_name, app_name });
    source.addEventListener('logs', ({ data }) => add((JSON.parse(data) as { logs: FlowLog[] }).logs));
    source.addEventListener('error', () => source.readyState === EventSource.CLOSED && !isOver && again());
    const today = Math.floor(Date.now() / DAY) * DAY;
    readLogFlow({ owner_name, app_name }, new Date(Math.max(today, Date.now() - BEFORE)).toISOString()).then(
      (response) => {
        if (isOver) return;
        setError(null);
        add(response.logs);
      },
      (failure: unknown) => {
        if (isOver) return;
        setError(failure instanceof Error ? failure : new Error(String(failure)));
        again();
      },
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
      source.close();
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

/** After a pause, recent logs are read again. */
const identity = (log: FlowLog): string =>
  [log.type, log.timestamp, log.install_id, log.event_id ?? log.session_id ?? ''].join(' ');
