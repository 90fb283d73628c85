import { Button, Group, Stack, Text } from '@mantine/core';
import { pushHooks_create, pushHooks_delete } from '@mooring/contract';
import { useState } from 'react';
import { type Repository, useCreatePushHook, useDeletePushHook } from '../../../api/builds/builds.ts';
import { DialogButton } from '../../../components/dialogs/dialog-button.tsx';
import { DialogButtons } from '../../../components/dialogs/dialog-buttons.tsx';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { Failure } from '../../../components/feedback/failure.tsx';
import { Section } from '../../../components/layout/page.tsx';
import { Copyable } from '../../../components/text/copyable.tsx';
import { SecretValue } from '../../../components/text/secret-value.tsx';
import { Time } from '../../../components/text/time.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';

/** Webhook that the Git host calls on push. */
export function PushHook({ repository }: { repository: Repository }) {
  const { appRef, can } = useCurrentApp();
  const { push_url, pushed_at } = repository;
  const confirmation = useConfirm<Repository>({
    title: () => 'Delete push webhook?',
    action: 'Delete push webhook',
    consequence: () =>
      'The URL and its secret stop working. Branches are then built manually, or when this server polls the repository.',
    openDialog: useDeletePushHook(appRef),
  });
  return (
    <Section
      title="Push webhook"
      description="To build on every push, add a webhook at your Git host, or a Git hook."
      actions={
        <Group gap="sm">
          {push_url && can(pushHooks_delete) && (
            <Button variant="default" onClick={() => confirmation.open(repository)}>
              Delete push webhook
            </Button>
          )}
          {can(pushHooks_create) && (
            <DialogButton
              label={push_url ? 'New secret' : 'Set up push webhook'}
              title={push_url ? 'New secret' : 'Set up push webhook'}
              variant={push_url ? 'default' : 'filled'}
            >
              {(close) => <NewPushHook isReplacing={push_url !== undefined} onClose={close} />}
            </DialogButton>
          )}
        </Group>
      }
    >
      {push_url ? (
        <Stack gap={4}>
          <Copyable value={push_url} label="push webhook URL" />
          <Text size="sm" c="dimmed">
            {pushed_at ? (
              <>
                Last push <Time at={pushed_at} />.
              </>
            ) : (
              'No pushes received yet.'
            )}
          </Text>
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          No push webhook yet.
        </Text>
      )}
      {confirmation.dialog}
    </Section>
  );
}

function NewPushHook({ isReplacing, onClose }: { isReplacing: boolean; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const creation = useCreatePushHook(appRef);
  // The secret exists only in this dialog's state.
  const [made, setMade] = useState<{ url: string; secret: string; git_hook: string }>();
  if (made) {
    return (
      <SecretValue
        secrets={[
          ['URL', made.url],
          ['Secret or password', made.secret],
          ['Line for hooks/post-receive', made.git_hook],
        ]}
        warning="The secret is shown only once. At your Git host, add a push webhook with this URL and secret and content type JSON."
        onClose={onClose}
      />
    );
  }
  return (
    <Stack>
      <Text size="sm">
        GitHub, Gitea and Bitbucket sign requests with the secret. GitLab sends it as a token, Azure DevOps as an HTTP
        Basic password. {isReplacing && 'The current secret stops working immediately.'}
      </Text>
      {creation.error && <Failure error={creation.error} />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={creation.isPending}
          onClick={() =>
            creation.mutate(undefined, {
              onSuccess: (hook) => {
                setMade(hook);
                creation.reset();
              },
            })
          }
        >
          Create secret
        </Button>
      </DialogButtons>
    </Stack>
  );
}
