import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { appleMapping_create, appleMapping_delete } from '@mooring/contract';
import { useAppleMapping, useRemoveAppleMapping, useSetAppleMapping } from '../../api/stores.ts';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';

type Known = NonNullable<ReturnType<typeof useAppleMapping>['data']>;

/** Which app of the App Store it is: what a runner that publishes it is told. */
export function AppleMappingPart() {
  const { appRef, may } = useAppHere();
  const reading = useAppleMapping(appRef);
  const [isEditing, editing] = useDisclosure();
  const question = useQuestion<object>({
    title: () => 'Forget which app of the App Store it is?',
    action: 'Forget',
    loss: () => 'A runner that publishes it is no longer told. Nothing changes in the App Store.',
    doing: useRemoveAppleMapping(appRef),
  });
  return (
    <Part
      title="In the App Store"
      lead="Which app it is there. It is noted as you tell it, and handed to the runner that publishes; this server does not sign in to App Store Connect."
      actions={
        may(appleMapping_create) && (
          <Group gap="sm">
            <Button variant="default" size="xs" onClick={editing.open}>
              {reading.data ? 'Change' : 'Tell'}
            </Button>
            {reading.data && may(appleMapping_delete) && (
              <Button variant="default" size="xs" onClick={() => question.ask({})}>
                Forget
              </Button>
            )}
          </Group>
        )
      }
    >
      <Loaded reading={reading}>
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
              Nobody has told yet.
            </Text>
          )
        }
      </Loaded>
      {question.dialog}
      <Dialog opened={isEditing} onClose={editing.close} title="In the App Store">
        <Edit known={reading.data ?? undefined} onClose={editing.close} />
      </Dialog>
    </Part>
  );
}

const rule = fieldsOf(appleMapping_create);

function Edit({ known, onClose }: { known: Known | undefined; onClose: () => void }) {
  const { appRef } = useAppHere();
  const saving = useSetAppleMapping(appRef);
  return (
    <Form
      action="Save"
      sending={saving}
      onCancel={onClose}
      onSend={(fields) => {
        const names = (fields.text('groups') ?? '').split(',').flatMap((name) => name.trim() || []);
        const [apple_id, bundle_identifier] = [fields.text('apple_id'), fields.text('bundle_identifier')];
        const ids = new Map(known?.groups.map(({ id, name }) => [name, id]));
        saving.mutate(
          {
            team_identifier: fields.text('team_identifier') ?? '',
            service_connection_id: known?.service_connection_id ?? 'runner',
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
        defaultValue={known?.apple_id}
        placeholder="1234567890"
        data-autofocus
      />
      <NameField
        name="bundle_identifier"
        label="Bundle identifier"
        rule={rule('bundle_identifier')}
        defaultValue={known?.bundle_identifier}
      />
      <NameField
        name="team_identifier"
        label="Team"
        rule={rule('team_identifier')}
        defaultValue={known?.team_identifier}
        placeholder="A1B2C3D4E5"
      />
      <TextField
        name="groups"
        label="TestFlight groups"
        rule={{ isRequired: false }}
        description="Their names, with commas between them."
        defaultValue={known?.groups.map(({ name }) => name).join(', ')}
      />
    </Form>
  );
}
