import { Alert, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { appKey } from '../../api/apps.ts';
import { useReprocessing } from '../../api/telemetry/crashes.ts';
import { useSymbolUploads } from '../../api/telemetry/symbols.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { useCurrentApp } from '../../context/permissions.ts';

const LOOK_EVERY = 1500;
/** Reprocessing starts within this time after the symbols were read. */
const SETTLED_AFTER = 6000;

/** States of uploads that are over. */
const ends: ReadonlySet<string> = new Set(['indexed', 'failed', 'aborted']);

/** True once a condition held for a time. */
function useIsOn(condition: boolean, milliseconds: number): boolean {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    setOn(false);
    if (!condition) return;
    const timer = setTimeout(() => setOn(true), milliseconds);
    return () => clearTimeout(timer);
  }, [condition, milliseconds]);
  return isOn;
}

/** Follows reports that become readable after an upload, and refreshes the crashes on the page behind. */
export function SymbolicationProgress({ since }: { since: number }) {
  const { appRef } = useCurrentApp();
  const { owner_name, app_name } = appRef;
  const queries = useQueryClient();
  const runs = useReprocessing(appRef).data?.filter(
    ({ reason, started_at }) => reason === 'symbols' && Date.parse(started_at) >= since - LOOK_EVERY,
  );
  const uploads = useSymbolUploads(appRef).data;
  const isRead =
    uploads
      ?.filter(({ timestamp = '' }) => Date.parse(timestamp) >= since - LOOK_EVERY)
      .every(({ status }) => ends.has(status)) ?? false;
  const isSettled = useIsOn(isRead, SETTLED_AFTER);
  const isDone = runs !== undefined && runs.length > 0 && runs.every(({ ended_at }) => ended_at !== undefined);
  const isOver = isDone || (isSettled && runs?.length === 0);
  useEffect(() => {
    const queryKey = [...appKey({ owner_name, app_name }), 'crashes'];
    const refresh = () => void queries.invalidateQueries({ queryKey });
    // Also once after the end.
    refresh();
    if (isOver) return;
    const timer = setInterval(refresh, LOOK_EVERY);
    return () => clearInterval(timer);
  }, [queries, owner_name, app_name, isOver]);
  const total = runs?.reduce((sum, run) => sum + run.total, 0) ?? 0;
  const done = runs?.reduce((sum, run) => sum + run.done, 0) ?? 0;
  if (isOver)
    return (
      <Alert color="green" role="status">
        {done > 0
          ? `${formatCount(done, 'crash report')} symbolicated.`
          : 'No crash reports were waiting for these symbols.'}
      </Alert>
    );
  return (
    <Stack gap={4} role="status">
      <Text size="sm">
        {total > 0
          ? `Symbolicating crash reports: ${done.toLocaleString()} of ${total.toLocaleString()}`
          : 'Reading the symbols. Crash reports that wait for them are symbolicated next.'}
      </Text>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated={total === 0} aria-label="Symbolication" />
    </Stack>
  );
}
