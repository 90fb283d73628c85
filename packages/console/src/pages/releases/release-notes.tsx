import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { RELEASE_NOTES_MAX } from '@mooring/contract';
import { type ReleaseDetails, useChangeRelease } from '../../api/releases/releases.ts';
import { Form } from '../../components/forms/form.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';
import { AppIcon } from '../../components/images/app-icon.tsx';
import { Markdown } from '../../components/text/markdown.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

export function ReleaseNotes({ release, onEdit }: { release: ReleaseDetails; onEdit: (() => void) | undefined }) {
  const { app } = useCurrentApp();
  return (
    <Paper withBorder p="lg" component="section" aria-label="Release notes">
      <Group align="flex-start" wrap="nowrap" gap="lg">
        <AppIcon app={{ ...app, icon_url: release.app_icon_url || app.icon_url }} size={56} />
        <Stack gap="xs" miw={0} flex={1}>
          {release.release_notes?.trim() ? (
            <Markdown text={release.release_notes} />
          ) : (
            <Text size="sm" c="dimmed">
              No release notes yet. Tell testers what to try.
            </Text>
          )}
        </Stack>
        {onEdit && (
          <Button variant="default" size="xs" onClick={onEdit}>
            {release.release_notes?.trim() ? 'Edit release notes' : 'Write release notes'}
          </Button>
        )}
      </Group>
    </Paper>
  );
}

const notesRule = { isRequired: false, maxLength: RELEASE_NOTES_MAX };

export function EditNotes({ release, onClose }: { release: ReleaseDetails; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const change = useChangeRelease(appRef, release.id);
  return (
    <Form
      action="Save"
      sending={change}
      onCancel={onClose}
      onSend={(fields) => change.mutate({ release_notes: fields.text('release_notes') ?? '' }, { onSuccess: onClose })}
    >
      <LongTextField
        name="release_notes"
        label="Release notes"
        rule={notesRule}
        description="Markdown: # headings, - lists, **bold**, `code` and links. Testers see the notes when they install the release."
        defaultValue={release.release_notes}
        minRows={6}
        maxRows={20}
        data-autofocus
      />
    </Form>
  );
}
