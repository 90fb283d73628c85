import { Badge, Button, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type AlertKind, alertKindNames, alertRules_create } from '@mooring/contract';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type Alert,
  type AlertRule,
  useAlertRules,
  useAlerts,
  useCreateAlertRule,
  useDeleteAlertRule,
  useUpdateAlertRule,
} from '../../api/alerts.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';

const kindWords: Record<AlertKind, string> = {
  crash_free_percent: 'Devices without a crash, in percent, below',
  group_crashes_per_hour: 'Crashes of a group within an hour above',
  minutes_without_data: 'Minutes without data above',
  export_lag_minutes: 'Minutes that an export lags above',
};

const ruleOf = fieldsOf(alertRules_create);

function State({ rule: { enabled, state } }: { rule: AlertRule }) {
  if (!enabled) return <Badge color="gray">Disabled</Badge>;
  if (state === 'alerting') return <Badge color="red">Alerting</Badge>;
  return state === 'ok' ? <Badge>OK</Badge> : <Badge color="gray">No data</Badge>;
}

export default function AlertsPage() {
  const { appRef, may } = useAppHere();
  const [isCreating, creating] = useDisclosure();
  const mayChange = may(alertRules_create);
  const switching = useUpdateAlertRule(appRef);
  const deletion = useQuestion<AlertRule>({
    title: ({ name }) => `Delete the rule ${name}?`,
    action: 'Delete',
    loss: () => 'Nobody is alerted by it any more, and its history is lost.',
    doing: useDeleteAlertRule(appRef),
  });
  return (
    <Page
      title="Alerts"
      lead="Rules that watch this app: one message when they begin to alert, and one when that ends."
      actions={
        mayChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New rule
          </Button>
        )
      }
    >
      {switching.error && <Failure error={switching.error} title="It was not changed" />}
      <DataTable
        label="Alert rules"
        name="rules"
        reading={useAlertRules(appRef)}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Name', text: ({ name }) => name, cell: ({ name }) => name },
          {
            label: 'Alerts when',
            width: '34%',
            isWrapped: true,
            text: ({ kind, threshold }) => `${kindWords[kind]} ${threshold}`,
            cell: ({ kind, threshold }) => `${kindWords[kind]} ${threshold}`,
          },
          { label: 'State', width: 110, cell: (rule) => <State rule={rule} /> },
          {
            label: 'Now',
            onPhone: 'label',
            width: 90,
            text: ({ last_value }) => last_value ?? '',
            cell: ({ last_value }) => last_value?.toLocaleString() ?? '—',
          },
          timeColumn<AlertRule>('Since', ({ since }) => since, { isSecondary: true }),
          actionsColumn<AlertRule>(190, (rule) =>
            mayChange ? (
              <>
                <RowButton
                  label={`${rule.enabled ? 'Disable' : 'Enable'} ${rule.name}`}
                  onClick={() => switching.mutate({ rule, enabled: !rule.enabled })}
                >
                  {rule.enabled ? 'Disable' : 'Enable'}
                </RowButton>
                <RowButton label={`Delete ${rule.name}`} onClick={() => deletion.ask(rule)}>
                  Delete
                </RowButton>
              </>
            ) : null,
          ),
        ]}
        outlineRows={3}
        empty={
          <Empty
            icon={<IconAlertTriangle size={32} aria-hidden />}
            action={mayChange && <Button onClick={creating.open}>Create a rule</Button>}
          >
            Nothing watches this app.
          </Empty>
        }
      />
      <History />
      <Dialog opened={isCreating} onClose={creating.close} title="New rule">
        <NewRule onClose={creating.close} />
      </Dialog>
      {deletion.dialog}
    </Page>
  );
}

function History() {
  const { appRef } = useAppHere();
  return (
    <Part title="History" lead="Newest first, kept for 90 days after their end.">
      <DataTable
        label="Alerts"
        name="history"
        reading={useAlerts(appRef)}
        isServers
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Rule',
            width: '40%',
            isWrapped: true,
            text: ({ rule_name }) => rule_name,
            cell: ({ rule_name, subject }: Alert) => (
              <Stack gap={0}>
                {rule_name}
                {subject && (
                  <Text size="xs" c="dimmed">
                    {subject}
                  </Text>
                )}
              </Stack>
            ),
          },
          {
            label: 'Value',
            text: ({ value }) => value,
            cell: ({ value, threshold }) => `${value.toLocaleString()} of ${threshold.toLocaleString()}`,
          },
          timeColumn<Alert>('Began', ({ started_at }) => started_at),
          timeColumn<Alert>('Ended', ({ ended_at }) => ended_at),
        ]}
        empty={<Empty icon={<IconAlertTriangle size={32} aria-hidden />}>Nothing has alerted.</Empty>}
      />
    </Part>
  );
}

function NewRule({ onClose }: { onClose: () => void }) {
  const { appRef } = useAppHere();
  const creation = useCreateAlertRule(appRef);
  const [kind, setKind] = useState<AlertKind>('crash_free_percent');
  return (
    <Form
      action="Create"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(
          { name: fields.text('name') ?? '', kind, threshold: Number(fields.text('threshold')) },
          { onSuccess: onClose },
        )
      }
    >
      <NameField name="name" label="Name" rule={ruleOf('name')} placeholder="Too many crashes" />
      <Select
        label="Alerts when"
        data={alertKindNames.map((value) => ({ value, label: kindWords[value] }))}
        value={kind}
        onChange={(value) => setKind(value as AlertKind)}
        allowDeselect={false}
      />
      <NameField
        name="threshold"
        label="Threshold"
        rule={{ isRequired: true, pattern: '^[0-9]+(\\.[0-9]+)?$' }}
        inputMode="decimal"
      />
    </Form>
  );
}
