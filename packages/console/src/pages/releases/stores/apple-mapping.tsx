import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { appleMapping_create, appleMapping_delete } from '@mooring/contract';
import { useAppleMapping, useRemoveAppleMapping, useSetAppleMapping } from '../../../api/releases/stores.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../../components/forms/fields.tsx';
import { Form } from '../../../components/forms/form.tsx';
import { Section } from '../../../components/layout/page.tsx';
import { DescriptionList } from '../../../components/text/description-list.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';

type AppleMapping = NonNullable<ReturnType<typeof useAppleMapping>['data']>;

/** Link to an App Store app, which the runner gets when it publishes. */
export function AppleMappingSection() {
  const { appRef, can } = useCurrentApp();
  const query = useAppleMapping(appRef);
  const [isEditing, editing] = useDisclosure();
  const confirmation = useConfirm<object>({
    title: () => 'Unlink App Store app?',
    action: 'Unlink app',
    consequence: () => 'Runners no longer get this link when they publish. Nothing changes in the App Store.',
    openDialog: useRemoveAppleMapping(appRef),
  });
  return (
    <Section
      title="App Store app"
      description="The App Store app that releases are published to. The server passes it to the runner that publishes and doesn't check it with App Store Connect."
      actions={
        can(appleMapping_create) && (
          <Group gap="sm">
            <Button variant="default" size="xs" onClick={editing.open}>
              {query.data ? 'Edit link' : 'Link App Store app'}
            </Button>
            {query.data && can(appleMapping_delete) && (
              <Button variant="default" size="xs" onClick={() => confirmation.open({})}>
                Unlink app
              </Button>
            )}
          </Group>
        )
      }
    >
      <QueryBoundary query={query}>
        {(mapping) =>
          mapping ? (
            <DescriptionList
              items={[
                ['Apple ID', mapping.apple_id ?? '—'],
                ['Bundle identifier', mapping.bundle_identifier ?? '—'],
                ['Team', mapping.team_identifier],
                ['TestFlight groups', mapping.groups.map(({ name }) => name).join(', ') || '—'],
              ]}
            />
          ) : (
            <Text size="sm" c="dimmed">
              Not linked yet.
            </Text>
          )
        }
      </QueryBoundary>
      {confirmation.dialog}
      <Dialog opened={isEditing} onClose={editing.close} title={query.data ? 'Edit link' : 'Link App Store app'}>
        <Edit mapping={query.data ?? undefined} onClose={editing.close} />
      </Dialog>
    </Section>
  );
}

const rule = getBodyRules(appleMapping_create);

function Edit({ mapping, onClose }: { mapping: AppleMapping | undefined; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const saving = useSetAppleMapping(appRef);
  return (
    <Form
      action="Save"
      sending={saving}
      onCancel={onClose}
      onSend={(fields) => {
        const names = (fields.text('groups') ?? '').split(',').flatMap((name) => name.trim() || []);
        const [apple_id, bundle_identifier] = [fields.text('apple_id'), fields.text('bundle_identifier')];
        const ids = new Map(mapping?.groups.map(({ id, name }) => [name, id]));
        saving.mutate(
          {
            team_identifier: fields.text('team_identifier') ?? '',
            service_connection_id: mapping?.service_connection_id ?? 'runner',
            test_flight_groups: names.map((name) => ({ id: ids.get(name) ?? name.slice(0, 100), name })),
            ...(apple_id ? { apple_id } : {}),
            ...(bundle_identifier ? { bundle_identifier } : {}),
          },
          { onSuccess: onClose },
        );
      }}
    >
      <NameField
        name="apple_id"
        label="Apple ID"
        rule={rule('apple_id')}
        defaultValue={mapping?.apple_id}
        placeholder="1234567890"
        data-autofocus
      />
      <NameField
        name="bundle_identifier"
        label="Bundle identifier"
        rule={rule('bundle_identifier')}
        defaultValue={mapping?.bundle_identifier}
      />
      <NameField
        name="team_identifier"
        label="Team"
        rule={rule('team_identifier')}
        defaultValue={mapping?.team_identifier}
        placeholder="A1B2C3D4E5"
      />
      <TextField
        name="groups"
        label="TestFlight groups"
        rule={{ isRequired: false }}
        description="Group names, separated by commas."
        defaultValue={mapping?.groups.map(({ name }) => name).join(', ')}
      />
    </Form>
  );
}
