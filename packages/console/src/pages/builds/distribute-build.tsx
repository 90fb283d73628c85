import { MultiSelect, Switch, Text } from '@mantine/core';
import { builds_distribute } from '@mooring/contract';
import { useState } from 'react';
import { useDistributeBuild } from '../../api/builds/builds.ts';
import { appGroups, useGroups } from '../../api/organizations/groups.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { toast } from '../../components/feedback/toasts.ts';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { Form } from '../../components/forms/form.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

const getRule = getBodyRules(builds_distribute);

/** Creates a release from a build, for distribution groups. */
export function DistributeBuild({ id, onClose }: { id: number; onClose: () => void }) {
  const { appRef, params } = useCurrentApp();
  const groups = useGroups(appGroups(appRef));
  const distribution = useDistributeBuild(appRef, id);
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <QueryBoundary query={groups}>
      {(all) => (
        <Form
          action="Distribute build"
          sending={distribution}
          onCancel={onClose}
          onSend={(fields) => {
            const releaseNotes = fields.text('releaseNotes');
            distribution.mutate(
              {
                destinations: chosen.map((group) => ({ id: group, type: 'group' as const })),
                ...(releaseNotes === undefined ? {} : { releaseNotes }),
                mandatoryUpdate: fields.isOn('mandatory'),
                notifyTesters: !fields.isOn('silent'),
              },
              {
                onSuccess: () => {
                  toast('Creating a release from this build…');
                  onClose();
                },
              },
            );
          }}
        >
          <MultiSelect
            label="Distribution groups"
            description="Leave empty to create the release without distributing it."
            placeholder={chosen.length === 0 ? 'Choose groups' : ''}
            data={all.map(({ id: value, name, display_name }) => ({ value, label: display_name ?? name }))}
            value={chosen}
            onChange={setChosen}
            searchable
            nothingFoundMessage="No matches"
            data-autofocus
          />
          {all.length === 0 && (
            <Text size="sm">
              No distribution groups yet. <TextLink to={pathTo('appGroups', params)}>Create group</TextLink>
            </Text>
          )}
          <LongTextField name="releaseNotes" label="Release notes" rule={getRule('releaseNotes')} />
          <Switch name="mandatory" label="Mandatory" description="Users must install this update (needs the SDK)." />
          <Switch name="silent" label="Silent" description="Don't email testers." />
        </Form>
      )}
    </QueryBoundary>
  );
}
