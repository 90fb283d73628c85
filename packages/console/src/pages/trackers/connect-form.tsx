import { Checkbox, Select, Text } from '@mantine/core';
import { bugtracker_connect, type TrackerType, trackerTypes } from '@mooring/contract';
import { useState } from 'react';
import { type BugTracker, type NewBugTracker, useConnectTracker } from '../../api/telemetry/trackers.ts';
import { getBodyRules, needed } from '../../components/forms/field-rules.ts';
import { NameField, PasswordField } from '../../components/forms/fields.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { trackerLabels } from './tracker-labels.ts';

const getRule = getBodyRules(bugtracker_connect);

const examples: Record<TrackerType, { project: string; url: string }> = {
  github: { project: 'owner/repository', url: 'https://api.github.com' },
  gitlab: { project: 'group/project', url: 'https://gitlab.com' },
  vsts: { project: 'organization/project', url: 'https://dev.azure.com' },
  jira: { project: 'SHOP', url: 'https://example.atlassian.net' },
};

function read(type: TrackerType, fields: Fields): NewBugTracker {
  const texts = (['base_url', 'user_name', 'label', 'item_type', 'token'] as const).flatMap((name) => {
    const value = fields.text(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    type,
    project: fields.text('project') ?? '',
    event_types: fields.isOn('automatic') ? ['newCrashGroupCreated'] : [],
    follows_state: fields.isOn('follows'),
    closes_tickets: fields.isOn('closes'),
    ...Object.fromEntries(texts),
  };
}

export function ConnectForm({ tracker, onClose }: { tracker: BugTracker | undefined; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const connection = useConnectTracker(appRef);
  const [type, setType] = useState<TrackerType>(tracker?.type ?? 'github');
  const existing = tracker?.type === type ? tracker : undefined;
  const baseRule = getRule('base_url');
  const hasKinds = type === 'jira' || type === 'vsts';
  return (
    <Form
      action="Connect bug tracker"
      sending={connection}
      onCancel={onClose}
      onSend={(fields) => connection.mutate(read(type, fields), { onSuccess: onClose })}
    >
      <Select
        label="Bug tracker"
        data={trackerTypes.map((value) => ({ value, label: trackerLabels[value] }))}
        value={type}
        onChange={(value) => setType(value as TrackerType)}
        allowDeselect={false}
      />
      <NameField
        key={`${type} project`}
        name="project"
        label="Project"
        rule={getRule('project')}
        placeholder={examples[type].project}
        defaultValue={existing?.project}
      />
      <NameField
        key={`${type} url`}
        name="base_url"
        label="API URL"
        rule={type === 'jira' ? needed(baseRule) : baseRule}
        placeholder={examples[type].url}
        defaultValue={existing?.base_url}
      />
      {type === 'jira' && (
        <NameField
          name="user_name"
          label="Email address of the token owner"
          description="Required for Jira Cloud. Leave empty for a personal access token of your own Jira server."
          rule={getRule('user_name')}
          defaultValue={existing?.user_name}
        />
      )}
      <PasswordField
        name="token"
        label={existing ? 'Token (optional)' : 'Token'}
        description={
          existing
            ? 'Leave empty to keep the saved token. A new URL or email needs a new token.'
            : 'Needs permission to read the project and write tickets. Stored encrypted and never shown again.'
        }
        rule={existing ? getRule('token') : needed(getRule('token'))}
        autoComplete="off"
      />
      <NameField
        name="label"
        label="Label"
        rule={getRule('label')}
        placeholder="crash"
        defaultValue={existing?.label}
      />
      {hasKinds && (
        <NameField
          name="item_type"
          label="Ticket type"
          rule={getRule('item_type')}
          placeholder="Bug"
          defaultValue={existing?.item_type}
        />
      )}
      <Checkbox
        name="automatic"
        label="Create a ticket for each new issue"
        defaultChecked={(tracker?.event_types?.length ?? 0) > 0}
      />
      <Checkbox
        name="follows"
        label="Close and reopen issues with their tickets"
        defaultChecked={tracker?.follows_state ?? true}
      />
      <Checkbox
        name="closes"
        label="Close and reopen tickets with their issues"
        defaultChecked={tracker?.closes_tickets ?? false}
      />
      {tracker && (
        <Text size="sm" c="dimmed">
          If you change the URL or project, existing tickets are unlinked.
        </Text>
      )}
    </Form>
  );
}
