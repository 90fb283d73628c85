import { Box, NumberInput, Paper, Text } from '@mantine/core';
import { analytics_listDeletions, analytics_updateStorage, RETENTION_DAYS } from '@mooring/contract';
import { useSetRetention, useStorage } from '../../api/analytics.ts';
import { inFull } from '../../parts/charts/numbers.ts';
import { type Fields, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { sizeInWords } from '../../parts/size-words.ts';
import { Deletions } from './deletions.tsx';

/** How much telemetry of the app is kept, for how long, and what is being deleted of it. */
export function KeptTelemetry() {
  const { appRef, may } = useAppHere();
  const storage = useStorage(appRef);
  return (
    <Part title="Telemetry" lead="Sessions, events and pages that devices have sent.">
      <Paper withBorder p="lg" maw={720}>
        <Loaded reading={storage}>
          {(kept) => (
            <>
              <Text size="sm">
                {kept.log_count === 0
                  ? 'Nothing is kept yet.'
                  : `${inFull(kept.log_count)} logs in ${sizeInWords(kept.bytes)}, from ${kept.oldest_day} to ${kept.newest_day}.`}
              </Text>
              {may(analytics_updateStorage) ? (
                <Retention
                  days={kept.retention_days}
                  serverDays={kept.server_retention_days}
                  mostDays={kept.max_retention_days}
                  isOwn={kept.is_own}
                />
              ) : (
                <Text size="sm">Kept for {kept.retention_days} days.</Text>
              )}
            </>
          )}
        </Loaded>
      </Paper>
      {may(analytics_listDeletions) && (
        <Box maw={720}>
          <Deletions />
        </Box>
      )}
    </Part>
  );
}

interface RetentionProps {
  days: number;
  serverDays: number;
  mostDays: number;
  isOwn: boolean;
}

function Retention({ days, serverDays, mostDays, isOwn }: RetentionProps) {
  const { appRef } = useAppHere();
  const setting = useSetRetention(appRef);
  const question = useQuestion<number | null>({
    title: (wanted) => `Keep telemetry for ${wanted ?? serverDays} days only?`,
    action: 'Delete what is older',
    loss: () => 'Older days are gone from every figure within minutes, and cannot be brought back.',
    doing: setting,
  });
  const send = (fields: Fields) => {
    const typed = fields.text('retention_days');
    const wanted = typed === undefined ? null : Number(typed);
    if ((wanted ?? serverDays) < days) question.ask(wanted);
    else setting.mutate(wanted);
  };
  return (
    <>
      <Form action="Save" sending={setting} done={setting.isSuccess && 'Saved.'} onSend={send}>
        <NumberInput
          name="retention_days"
          label="Days for which telemetry is kept"
          description={`From ${RETENTION_DAYS.minimum} to ${mostDays}; empty for as long as this server keeps it, ${serverDays} days.`}
          placeholder={String(serverDays)}
          defaultValue={isOwn ? days : ''}
          min={RETENTION_DAYS.minimum}
          max={mostDays}
          allowDecimal={false}
          maw={420}
          mt="sm"
        />
      </Form>
      {question.dialog}
    </>
  );
}
