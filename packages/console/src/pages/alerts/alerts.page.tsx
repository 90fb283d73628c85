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
  useTestAlertRule,
  useUpdateAlertRule,
} from '../../api/alerts.ts';
import { useSubscriptions } from '../../api/subscriptions.ts';
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
import { TestResult } from '../../parts/test-result.tsx';

const kindWords: Record<AlertKind, string> = {
  crash_free_percent: 'Devices without a crash, in percent, below',
  group_crashes_per_hour: 'Crashes of a group within an hour above',
  minutes_without_data: 'Minutes without data above',
  export_lag_minutes: 'Minutes that an export lags above',
};

const ruleOf = fieldsOf(alertRules_create);

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

const toldWords = ({ webhooks, mails }: { webhooks: number; mails: number }): string =>
  webhooks + mails === 0
    ? 'Nobody would be told: no webhook waits for alerts of this app, and nobody asked for mails of them.'
    : `It goes to ${counted(webhooks, 'webhook', 'webhooks')}, and to ${counted(mails, 'person', 'people')} by mail, marked as a test.`;

function State({ rule: { enabled, state } }: { rule: AlertRule }) {
  if (!enabled) return <Badge color="gray">Disabled</Badge>;
  if (state === 'alerting') return <Badge color="red">Alerting</Badge>;
  return state === 'ok' ? <Badge>OK</Badge> : <Badge color="gray">No data</Badge>;
}

export default function AlertsPage() {
  const { appRef, may } = useAppHere();
  const [isCreating, creating] = useDisclosure();
  const [changed, setChanged] = useState<AlertRule>();
  const close = () => setChanged(undefined);
  const mayChange = may(alertRules_create);
  const switching = useUpdateAlertRule(appRef);
  const testing = useTestAlertRule(appRef);
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
      {testing.error && <Failure error={testing.error} title="No test was sent" />}
      {testing.data && (
        <TestResult
          isGood={testing.data.webhooks + testing.data.mails > 0}
          title={`Test of ${testing.data.rule.name}`}
          onClose={testing.reset}
        >
          {toldWords(testing.data)}
        </TestResult>
      )}
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
            cell: ({ kind, threshold, enabled, state_reason }) => (
              <Stack gap={0}>
                {`${kindWords[kind]} ${threshold}`}
                {enabled && state_reason && (
                  <Text size="xs" c="dimmed">
                    {state_reason}
                  </Text>
                )}
              </Stack>
            ),
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
          actionsColumn<AlertRule>(275, (rule) =>
            mayChange ? (
              <>
                <RowButton
                  label={`Test ${rule.name}`}
                  loading={testing.isPending && testing.variables.id === rule.id}
                  onClick={() => testing.mutate(rule)}
                >
                  Test
                </RowButton>
                <RowButton label={`Change ${rule.name}`} onClick={() => setChanged(rule)}>
                  Change
                </RowButton>
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
        <RuleForm onClose={creating.close} />
      </Dialog>
      <Dialog opened={changed !== undefined} onClose={close} title="Change the rule">
        <RuleForm rule={changed} onClose={close} />
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

interface RuleFormProps {
  /** That is changed; none if a new one is made. */
  rule?: AlertRule | undefined;
  onClose: () => void;
}

function RuleForm({ rule, onClose }: RuleFormProps) {
  const { app, appRef, permission } = useAppHere();
  const creation = useCreateAlertRule(appRef);
  const change = useUpdateAlertRule(appRef);
  const [kind, setKind] = useState<AlertKind>(rule?.kind ?? 'crash_free_percent');
  const before = rule?.health_subscription_id ?? null;
  const [health, setHealth] = useState(before);
  const done = { onSuccess: onClose };
  return (
    <Form
      action={rule ? 'Save' : 'Create'}
      sending={rule ? change : creation}
      onCancel={onClose}
      onSend={(fields) => {
        const said = { name: fields.text('name') ?? '', threshold: Number(fields.text('threshold')) };
        // Whoever may not set it can still change the rest.
        if (rule)
          change.mutate({ rule, ...said, ...(health === before ? {} : { health_subscription_id: health }) }, done);
        else creation.mutate({ ...said, kind, ...(health ? { health_subscription_id: health } : {}) }, done);
      }}
    >
      <NameField
        name="name"
        label="Name"
        rule={ruleOf('name')}
        placeholder="Too many crashes"
        defaultValue={rule?.name}
      />
      <Select
        label="Alerts when"
        data={alertKindNames.map((value) => ({ value, label: kindWords[value] }))}
        value={kind}
        onChange={(value) => setKind(value as AlertKind)}
        allowDeselect={false}
        disabled={rule !== undefined}
      />
      <NameField
        name="threshold"
        label="Threshold"
        rule={{ isRequired: true, pattern: '^[0-9]+(\\.[0-9]+)?$' }}
        inputMode="decimal"
        defaultValue={rule?.threshold}
      />
      {permission === 'manager' && <HealthSelect owner={app.owner.name} value={health} onChange={setHealth} />}
    </Form>
  );
}

interface HealthSelectProps {
  owner: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Of what the owner has, those that whoever looks may read. */
function HealthSelect({ owner, value, onChange }: HealthSelectProps) {
  const found = useSubscriptions().data?.filter((one) => one.owner === owner) ?? [];
  if (found.length === 0) return null;
  return (
    <Select
      label="Health event"
      description="As long as it alerts, readers of this subscription see a health event."
      placeholder="None"
      data={found.map(({ subscriptionId, displayName }) => ({ value: subscriptionId, label: displayName }))}
      value={value}
      onChange={onChange}
      clearable
    />
  );
}
