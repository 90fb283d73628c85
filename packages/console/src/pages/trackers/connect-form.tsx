import { Checkbox, Select, Text } from '@mantine/core';
import { bugtracker_connect, type TrackerType, trackerTypes } from '@mooring/contract';
import { useState } from 'react';
import { type BugTracker, type NewBugTracker, useConnectTracker } from '../../api/trackers.ts';
import { fieldsOf, needed } from '../../parts/field-rules.ts';
import { NameField, PasswordField } from '../../parts/fields.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';
import { trackerWords } from './tracker-words.ts';

const ruleOf = fieldsOf(bugtracker_connect);

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
  const { appRef } = useAppHere();
  const connection = useConnectTracker(appRef);
  const [type, setType] = useState<TrackerType>(tracker?.type ?? 'github');
  const known = tracker?.type === type ? tracker : undefined;
  const baseRule = ruleOf('base_url');
  const hasKinds = type === 'jira' || type === 'vsts';
  return (
    <Form
      action="Connect"
      sending={connection}
      onCancel={onClose}
      onSend={(fields) => connection.mutate(read(type, fields), { onSuccess: onClose })}
    >
      <Select
        label="Kind"
        data={trackerTypes.map((value) => ({ value, label: trackerWords[value] }))}
        value={type}
        onChange={(value) => setType(value as TrackerType)}
        allowDeselect={false}
      />
      <NameField
        key={`${type} project`}
        name="project"
        label="Project"
        rule={ruleOf('project')}
        placeholder={examples[type].project}
        defaultValue={known?.project}
      />
      <NameField
        key={`${type} url`}
        name="base_url"
        label="Address of its API"
        rule={type === 'jira' ? needed(baseRule) : baseRule}
        placeholder={examples[type].url}
        defaultValue={known?.base_url}
      />
      {type === 'jira' && (
        <NameField
          name="user_name"
          label="E-mail address of the token"
          description="Of Jira in the cloud; leave it empty for a personal access token of your own server."
          rule={ruleOf('user_name')}
          defaultValue={known?.user_name}
        />
      )}
      <PasswordField
        name="token"
        label={known ? 'Token (optional)' : 'Token'}
        description={
          known
            ? 'The one that is there stays as long as the address and the name do.'
            : 'One that may read the project and write tickets. It is sealed and never shown again.'
        }
        rule={known ? ruleOf('token') : needed(ruleOf('token'))}
        autoComplete="off"
      />
      <NameField name="label" label="Label" rule={ruleOf('label')} placeholder="crash" defaultValue={known?.label} />
      {hasKinds && (
        <NameField
          name="item_type"
          label="Kind of ticket"
          rule={ruleOf('item_type')}
          placeholder="Bug"
          defaultValue={known?.item_type}
        />
      )}
      <Checkbox
        name="automatic"
        label="Make a ticket with the first crash of an issue"
        defaultChecked={(tracker?.event_types?.length ?? 0) > 0}
      />
      <Checkbox
        name="follows"
        label="Close and open issues with their tickets"
        defaultChecked={tracker?.follows_state ?? true}
      />
      <Checkbox
        name="closes"
        label="Close and open tickets with their issues"
        defaultChecked={tracker?.closes_tickets ?? false}
      />
      {tracker && (
        <Text size="sm" c="dimmed">
          With another address or project, tickets that were made are no longer linked.
        </Text>
      )}
    </Form>
  );
}
