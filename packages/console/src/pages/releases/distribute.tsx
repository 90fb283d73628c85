import { MultiSelect, Switch, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { appGroups, useGroups } from '../../api/organizations/groups.ts';
import { type ReleaseDetails, useDistribute } from '../../api/releases/releases.ts';
import { useStores } from '../../api/releases/stores.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { toast } from '../../components/feedback/toasts.ts';
import { Form } from '../../components/forms/form.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

interface DistributeProps {
  release: ReleaseDetails;
  onClose: () => void;
}

/** Distributes a release to groups, testers and stores. */
export function Distribute({ release, onClose }: DistributeProps) {
  const { appRef, params } = useCurrentApp();
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
    <QueryBoundary query={groups}>
      {(all) => (
        <Form
          action="Distribute release"
          sending={distribution}
          onCancel={onClose}
          onSend={(fields) => {
            const isEmpty = chosen.length === 0 && testers.length === 0 && inStores.length === 0;
            setMissing(isEmpty);
            if (isEmpty) return;
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
                  if (isForPeople)
                    toast(isSilent ? 'Release distributed.' : 'Release distributed. Testers get an email.');
                  else toast('Publishing to the store…');
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
              label: `${display_name ?? name}${is_public ? ' (public)' : ''}${has.has(id) ? ' (already distributed)' : ''}`,
            }))}
            value={chosen}
            onChange={setChosen}
            searchable
            nothingFoundMessage="No matches"
            error={isMissing ? 'Choose a group or store, or enter a tester.' : undefined}
            data-autofocus
          />
          {all.length === 0 && (
            <Text size="sm">
              No distribution groups yet. <TextLink to={pathTo('appGroups', params)}>Create group</TextLink> first.
            </Text>
          )}
          <TagsInput
            label="Testers (optional)"
            description="Email addresses of people with access to this app or in one of its groups."
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
              Publishing will wait: {text}
            </Text>
          ))}
          <Switch
            name="mandatory"
            label="Mandatory"
            description="Users must install this update before they can continue to use the app (needs the SDK)."
          />
          <Switch name="silent" label="Silent" description="Don't email testers." />
        </Form>
      )}
    </QueryBoundary>
  );
}
