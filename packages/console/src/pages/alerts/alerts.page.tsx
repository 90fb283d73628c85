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
} from '../../api/health/alerts.ts';
import { useSubscriptions } from '../../api/health/subscriptions.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { TestResult } from '../../components/feedback/test-result.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { useCurrentApp } from '../../context/permissions.ts';

const kindLabels: Record<AlertKind, string> = {
  crash_free_percent: 'Crash-free devices today below (%)',
  group_crashes_per_hour: 'Crashes of one issue per hour above',
  minutes_without_data: 'Time without data above (minutes)',
  export_lag_minutes: 'Export lag above (minutes)',
};

const getRule = getBodyRules(alertRules_create);

const conditions: Record<AlertKind, (threshold: number) => string> = {
  crash_free_percent: (percent) => `Crash-free devices today below ${percent}%`,
  group_crashes_per_hour: (crashes) => `More than ${formatCount(crashes, 'crash', 'crashes')} of one issue per hour`,
  minutes_without_data: (minutes) => `No data for more than ${formatCount(minutes, 'minute')}`,
  export_lag_minutes: (minutes) => `Export lag above ${formatCount(minutes, 'minute')}`,
};

const formatRecipients = ({ webhooks, mails }: { webhooks: number; mails: number }): string =>
  webhooks + mails === 0
    ? 'No recipients: no webhook of this app sends alerts, and no member has alert emails turned on.'
    : `Sent to ${formatCount(webhooks, 'webhook')} and emailed to ${formatCount(mails, 'person', 'people')}, marked as a test.`;

function State({ rule: { enabled, state } }: { rule: AlertRule }) {
  if (!enabled) return <Badge color="gray">Disabled</Badge>;
  if (state === 'alerting') return <Badge color="red">Alerting</Badge>;
  return state === 'ok' ? <Badge>OK</Badge> : <Badge color="gray">No data</Badge>;
}

export default function AlertsPage() {
  const { appRef, can } = useCurrentApp();
  const [isCreating, creating] = useDisclosure();
  const [changed, setChanged] = useState<AlertRule>();
  const close = () => setChanged(undefined);
  const canChange = can(alertRules_create);
  const switching = useUpdateAlertRule(appRef);
  const testing = useTestAlertRule(appRef);
  const deletion = useConfirm<AlertRule>({
    title: ({ name }) => `Delete alert rule ${name}?`,
    action: 'Delete alert rule',
    consequence: () => 'The rule sends no more alerts, and its history is deleted. This cannot be undone.',
    openDialog: useDeleteAlertRule(appRef),
  });
  return (
    <Page
      title="Alerts"
      description="Get a message when a rule of this app starts alerting, and when it stops."
      actions={
        canChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New alert rule
          </Button>
        )
      }
    >
      {switching.error && <Failure error={switching.error} title="Couldn't change the rule" />}
      {testing.error && <Failure error={testing.error} title="Couldn't send a test" />}
      {testing.data && (
        <TestResult
          isGood={testing.data.webhooks + testing.data.mails > 0}
          title={`Test of ${testing.data.rule.name}`}
          onClose={testing.reset}
        >
          {formatRecipients(testing.data)}
        </TestResult>
      )}
      <DataTable
        id="alerts-alert-rules"
        label="Alert rules"
        name="rules"
        query={useAlertRules(appRef)}
        rowKey={({ id }) => id}
        columns={[
          { id: 'name', label: 'Name', text: ({ name }) => name, cell: ({ name }) => name },
          {
            id: 'alerts_when',
            label: 'Alerts when',
            width: '34%',
            isWrapped: true,
            text: ({ kind, threshold }) => conditions[kind](threshold),
            cell: ({ kind, threshold, enabled, state_reason }) => (
              <Stack gap={0}>
                {conditions[kind](threshold)}
                {enabled && state_reason && (
                  <Text size="xs" c="dimmed">
                    {state_reason}
                  </Text>
                )}
              </Stack>
            ),
          },
          { id: 'status', label: 'Status', width: 110, cell: (rule) => <State rule={rule} /> },
          {
            id: 'current',
            label: 'Current',
            mobileDisplay: 'label',
            width: 90,
            text: ({ last_value }) => last_value ?? '',
            isNumber: true,
            cell: ({ last_value }) => last_value?.toLocaleString() ?? '—',
          },
          timeColumn<AlertRule>('since', 'Since', ({ since }) => since, { isSecondary: true }),
          actionsColumn<AlertRule>(275, (rule) =>
            canChange ? (
              <>
                <RowButton
                  label={`Test ${rule.name}`}
                  loading={testing.isPending && testing.variables.id === rule.id}
                  onClick={() => testing.mutate(rule)}
                >
                  Test
                </RowButton>
                <RowButton label={`Edit ${rule.name}`} onClick={() => setChanged(rule)}>
                  Edit
                </RowButton>
                <RowButton
                  label={`${rule.enabled ? 'Disable' : 'Enable'} ${rule.name}`}
                  onClick={() => switching.mutate({ rule, enabled: !rule.enabled })}
                >
                  {rule.enabled ? 'Disable' : 'Enable'}
                </RowButton>
                <RowButton label={`Delete ${rule.name}`} onClick={() => deletion.open(rule)}>
                  Delete
                </RowButton>
              </>
            ) : null,
          ),
        ]}
        outlineRows={3}
        empty={
          <EmptyState
            icon={<IconAlertTriangle size={32} aria-hidden />}
            action={canChange && <Button onClick={creating.open}>Create alert rule</Button>}
          >
            No alert rules yet
          </EmptyState>
        }
      />
      <History />
      <Dialog opened={isCreating} onClose={creating.close} title="New alert rule">
        <RuleForm onClose={creating.close} />
      </Dialog>
      <Dialog opened={changed !== undefined} onClose={close} title="Edit alert rule">
        <RuleForm rule={changed} onClose={close} />
      </Dialog>
      {deletion.dialog}
    </Page>
  );
}

function History() {
  const { appRef } = useCurrentApp();
  return (
    <Section title="History" description="Alerts are kept for 90 days after they end.">
      <DataTable
        id="alerts-alerts"
        label="Alerts"
        name="history"
        query={useAlerts(appRef)}
        isServers
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'rule',
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
            id: 'value',
            label: 'Value',
            text: ({ value }) => value,
            isNumber: true,
            cell: ({ value, threshold }) => `${value.toLocaleString()} of ${threshold.toLocaleString()}`,
          },
          timeColumn<Alert>('started', 'Started', ({ started_at }) => started_at),
          timeColumn<Alert>('ended', 'Ended', ({ ended_at }) => ended_at),
        ]}
        empty={<EmptyState icon={<IconAlertTriangle size={32} aria-hidden />}>No alerts yet</EmptyState>}
      />
    </Section>
  );
}

interface RuleFormProps {
  /** The rule to edit; undefined to create one. */
  rule?: AlertRule | undefined;
  onClose: () => void;
}

function RuleForm({ rule, onClose }: RuleFormProps) {
  const { app, appRef, permission } = useCurrentApp();
  const creation = useCreateAlertRule(appRef);
  const change = useUpdateAlertRule(appRef);
  const [kind, setKind] = useState<AlertKind>(rule?.kind ?? 'crash_free_percent');
  const before = rule?.health_subscription_id ?? null;
  const [health, setHealth] = useState(before);
  const done = { onSuccess: onClose };
  return (
    <Form
      action={rule ? 'Save' : 'Create alert rule'}
      sending={rule ? change : creation}
      onCancel={onClose}
      onSend={(fields) => {
        const values = { name: fields.text('name') ?? '', threshold: Number(fields.text('threshold')) };
        // Users who may not set the subscription can still edit the rest.
        if (rule)
          change.mutate({ rule, ...values, ...(health === before ? {} : { health_subscription_id: health }) }, done);
        else creation.mutate({ ...values, kind, ...(health ? { health_subscription_id: health } : {}) }, done);
      }}
    >
      <NameField
        name="name"
        label="Name"
        rule={getRule('name')}
        placeholder="Too many crashes"
        defaultValue={rule?.name}
      />
      <Select
        label="Alerts when"
        data={alertKindNames.map((value) => ({ value, label: kindLabels[value] }))}
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

/** Subscriptions of the app's owner that the user may read. */
function HealthSelect({ owner, value, onChange }: HealthSelectProps) {
  const subscriptions = useSubscriptions().data?.filter((one) => one.owner === owner) ?? [];
  if (subscriptions.length === 0) return null;
  return (
    <Select
      label="Health event"
      description="While the rule is alerting, readers of this subscription see a health event."
      placeholder="None"
      data={subscriptions.map(({ subscriptionId, displayName }) => ({ value: subscriptionId, label: displayName }))}
      value={value}
      onChange={onChange}
      clearable
    />
  );
}
