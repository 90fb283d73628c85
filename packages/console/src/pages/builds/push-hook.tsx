import { Button, Group, Stack, Text } from '@mantine/core';
import { pushHooks_create, pushHooks_delete } from '@mooring/contract';
import { useState } from 'react';
import { type Repository, useCreatePushHook, useDeletePushHook } from '../../api/builds.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
import { Time } from '../../parts/time.tsx';

/** How the host of a repository tells of pushes. */
export function PushHook({ repository }: { repository: Repository }) {
  const { appRef, may } = useAppHere();
  const { push_url, pushed_at } = repository;
  const question = useQuestion<Repository>({
    title: () => 'Stop listening to pushes?',
    action: 'Delete',
    loss: () => 'The address and its secret end at once; branches are then built by hand, or when they are polled.',
    doing: useDeletePushHook(appRef),
  });
  return (
    <Part
      title="Pushes"
      lead="Branches that are built on each push need somebody to tell of it: a webhook of the host, or a git hook."
      actions={
        <Group gap="sm">
          {push_url && may(pushHooks_delete) && (
            <Button variant="default" onClick={() => question.ask(repository)}>
              Delete
            </Button>
          )}
          {may(pushHooks_create) && (
            <DialogButton
              label={push_url ? 'New secret' : 'Set up'}
              title="Tell of pushes"
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
          <Copyable value={push_url} label="the address for pushes" />
          <Text size="sm" c="dimmed">
            {pushed_at ? (
              <>
                Last heard of <Time at={pushed_at} />.
              </>
            ) : (
              'Nothing came yet.'
            )}
          </Text>
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          Nobody tells of pushes yet.
        </Text>
      )}
      {question.dialog}
    </Part>
  );
}

function NewPushHook({ isReplacing, onClose }: { isReplacing: boolean; onClose: () => void }) {
  const { appRef } = useAppHere();
  const creation = useCreatePushHook(appRef);
  // Kept here and nowhere else, and goes with the dialog.
  const [made, setMade] = useState<{ url: string; secret: string; git_hook: string }>();
  if (made) {
    return (
      <SecretValue
        secrets={[
          ['Address', made.url],
          ['Secret, or password', made.secret],
          ['Or a line in hooks/post-receive', made.git_hook],
        ]}
        warning="The secret is shown this once. At the host, add a webhook for pushes with this address and this secret, as JSON."
        onClose={onClose}
      />
    );
  }
  return (
    <Stack>
      <Text size="sm">
        GitHub, Gitea and Bitbucket sign with the secret, GitLab sends it as a token, and Azure DevOps as the password
        of HTTP Basic. {isReplacing && 'The secret that is there ends at once.'}
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
          Make a secret
        </Button>
      </DialogButtons>
    </Stack>
  );
}
