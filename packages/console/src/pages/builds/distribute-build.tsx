import { MultiSelect, Switch, Text } from '@mantine/core';
import { builds_distribute } from '@mooring/contract';
import { useState } from 'react';
import { useDistributeBuild } from '../../api/builds.ts';
import { appGroups, useGroups } from '../../api/groups.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { Form } from '../../parts/form.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';
import { useAppHere } from '../../parts/may.ts';
import { toast } from '../../parts/toasts.ts';
import { pathTo } from '../../paths.ts';

const ruleOf = fieldsOf(builds_distribute);

/** Makes a release of a build, for groups of testers. */
export function DistributeBuild({ id, onClose }: { id: number; onClose: () => void }) {
  const { appRef, params } = useAppHere();
  const groups = useGroups(appGroups(appRef));
  const distribution = useDistributeBuild(appRef, id);
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <Loaded reading={groups}>
      {(all) => (
        <Form
          action="Distribute"
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
                  toast('It becomes a release; that takes a moment.');
                  onClose();
                },
              },
            );
          }}
        >
          <MultiSelect
            label="Distribution groups"
            description="None: the release is made, and given to nobody yet."
            placeholder={chosen.length === 0 ? 'Choose groups' : ''}
            data={all.map(({ id: value, name, display_name }) => ({ value, label: display_name ?? name }))}
            value={chosen}
            onChange={setChosen}
            searchable
            nothingFoundMessage="No such group"
            data-autofocus
          />
          {all.length === 0 && (
            <Text size="sm">
              The app has no groups of testers yet. <TextLink to={pathTo('appGroups', params)}>Create one</TextLink>.
            </Text>
          )}
          <LongTextField name="releaseNotes" label="Release notes" rule={ruleOf('releaseNotes')} />
          <Switch name="mandatory" label="Mandatory" description="Apps with the SDK must be updated." />
          <Switch name="silent" label="Silent" description="Nobody gets a mail." />
        </Form>
      )}
    </Loaded>
  );
}
