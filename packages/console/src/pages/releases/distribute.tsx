import { MultiSelect, Switch, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { appGroups, useGroups } from '../../api/groups.ts';
import { type ReleaseDetails, useDistribute } from '../../api/releases.ts';
import { useStores } from '../../api/stores.ts';
import { Form } from '../../parts/form.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { toast } from '../../parts/toasts.ts';
import { pathTo } from '../../paths.ts';

interface DistributeProps {
  release: ReleaseDetails;
  onClose: () => void;
}

/** Gives a release to groups, to single testers and to stores. */
export function Distribute({ release, onClose }: DistributeProps) {
  const { appRef, params } = useAppHere();
  const groups = useGroups(appGroups(appRef));
  const distribution = useDistribute(appRef, release.id);
  const [chosen, setChosen] = useState<string[]>([]);
  const [testers, setTesters] = useState<string[]>([]);
  const stores = useStores(appRef).data ?? [];
  const [inStores, setInStores] = useState<string[]>([]);
  const missing = stores.filter(({ id }) => inStores.includes(id)).flatMap(({ missing }) => missing ?? []);
  const [isMissing, setMissing] = useState(false);
  const has = new Set((release.destinations ?? []).map(({ id }) => id));
  return (
    <Loaded reading={groups}>
      {(all) => (
        <Form
          action="Distribute"
          sending={distribution}
          onCancel={onClose}
          onSend={(fields) => {
            const isNobody = chosen.length === 0 && testers.length === 0 && inStores.length === 0;
            setMissing(isNobody);
            if (isNobody) return;
            const isSilent = fields.isOn('silent');
            distribution.mutate(
              {
                groups: chosen,
                testers,
                stores: inStores,
                mandatory_update: fields.isOn('mandatory'),
                notify_testers: !isSilent,
              },
              {
                onSuccess: () => {
                  const isForPeople = chosen.length > 0 || testers.length > 0;
                  if (isForPeople) toast(isSilent ? 'They have it.' : 'They have it, and get a mail.');
                  else toast('It is on its way to the store.');
                  onClose();
                },
              },
            );
          }}
        >
          <MultiSelect
            label="Distribution groups"
            placeholder={chosen.length === 0 ? 'Choose groups' : ''}
            data={all.map(({ id, name, display_name, is_public }) => ({
              value: id,
              label: `${display_name ?? name}${is_public ? ' (public)' : ''}${has.has(id) ? ', has it already' : ''}`,
            }))}
            value={chosen}
            onChange={setChosen}
            searchable
            nothingFoundMessage="No such group"
            error={isMissing ? 'Choose a group, or enter a tester.' : undefined}
            data-autofocus
          />
          {all.length === 0 && (
            <Text size="sm">
              The app has no groups of testers yet. <TextLink to={pathTo('appGroups', params)}>Create one</TextLink>{' '}
              first.
            </Text>
          )}
          <TagsInput
            label="Testers (optional)"
            description="E-mail addresses of people who have access to the app or are in one of its groups."
            placeholder={testers.length === 0 ? 'ada@example.com' : ''}
            value={testers}
            onChange={setTesters}
            splitChars={[',', ' ', ';']}
            acceptValueOnBlur
          />
          {stores.length > 0 && (
            <MultiSelect
              label="Stores (optional)"
              placeholder={inStores.length === 0 ? 'Choose stores' : ''}
              data={stores.map(({ id, name, track }) => ({ value: id, label: track ? `${name}, ${track}` : name }))}
              value={inStores}
              onChange={setInStores}
            />
          )}
          {missing.map((text) => (
            <Text key={text} size="sm">
              It will wait: {text}
            </Text>
          ))}
          <Switch
            name="mandatory"
            label="Mandatory"
            description="Apps with the SDK must be updated before they can be used on."
          />
          <Switch name="silent" label="Silent" description="Nobody gets a mail." />
        </Form>
      )}
    </Loaded>
  );
}
