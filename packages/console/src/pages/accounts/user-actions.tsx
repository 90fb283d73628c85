import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { type AdminUser, type UserChange, useDeleteUser, useResetPassword, useUpdateUser } from '../../api/users.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { NewPassword, RevokeTokens } from '../../parts/person-fields.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
import { pathTo } from '../../paths.ts';

interface Action {
  label: string;
  change: UserChange;
  explanation: string;
  isDangerous?: boolean;
}

const rights = ({ is_admin }: AdminUser): Action =>
  is_admin
    ? {
        label: 'Remove administrator',
        change: { is_admin: false },
        explanation: 'They can no longer manage users or read the audit log.',
        isDangerous: true,
      }
    : {
        label: 'Make administrator',
        change: { is_admin: true },
        explanation: 'They can then manage users, you included, and read the audit log.',
      };

const standing = ({ is_disabled }: AdminUser): Action =>
  is_disabled
    ? {
        label: 'Enable',
        change: { is_disabled: false },
        explanation:
          'They can sign in again. Their API tokens were revoked when they were disabled: they make new ones.',
      }
    : {
        label: 'Disable',
        change: { is_disabled: true },
        explanation:
          'Their sessions end, they cannot sign in, and all API tokens that they created are revoked, also those for apps. Check first that no pipeline uses one.',
        isDangerous: true,
      };

const verification = ({ is_email_verified, email }: AdminUser): Action[] =>
  is_email_verified
    ? []
    : [
        {
          label: 'Confirm e-mail',
          change: { is_email_verified: true },
          explanation: `You vouch that ${email} is theirs: an identity provider may then sign them in by it.`,
        },
      ];

const actionsFor = (user: AdminUser): Action[] =>
  user.is_service_account ? [standing(user)] : [rights(user), standing(user), ...verification(user)];

/** What an administrator can do to somebody. */
export function UserActions({ user }: { user: AdminUser }) {
  const [action, setAction] = useState<Action>();
  const [isSettingPassword, setSettingPassword] = useState(false);
  const [isLinking, setLinking] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const button = useFocusAfter(isSettingPassword || isLinking || isDeleting || action !== undefined);
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon ref={button} variant="subtle" color="gray" aria-label={`Actions for ${user.name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actionsFor(user).map((each) => (
            <Menu.Item key={each.label} onClick={() => setAction(each)}>
              {each.label}
            </Menu.Item>
          ))}
          <Menu.Item component={Link} to={pathTo('adminUserTokens', { user: user.id })}>
            API tokens
          </Menu.Item>
          {!user.is_service_account && (
            <>
              <Menu.Item onClick={() => setSettingPassword(true)}>Set new password</Menu.Item>
              <Menu.Item onClick={() => setLinking(true)}>Create a password link</Menu.Item>
              <Menu.Item color="var(--mantine-color-error)" onClick={() => setDeleting(true)}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDeleting && <DeleteUser user={user} onClose={() => setDeleting(false)} />}
      {action && <ConfirmAction user={user} action={action} onClose={() => setAction(undefined)} />}
      <Dialog
        opened={isSettingPassword}
        onClose={() => setSettingPassword(false)}
        title={`New password for ${user.display_name}`}
      >
        <SetPassword user={user} onClose={() => setSettingPassword(false)} />
      </Dialog>
      <Dialog opened={isLinking} onClose={() => setLinking(false)} title={`Password link for ${user.display_name}`}>
        <PasswordLink user={user} onClose={() => setLinking(false)} />
      </Dialog>
    </>
  );
}

/** The menu entry that opened a dialog is gone when it closes, so the focus goes to the menu's button. */
function useFocusAfter(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) return () => button.current?.focus();
  }, [isOpen]);
  return button;
}

interface DialogProps {
  user: AdminUser;
  onClose: () => void;
}

function ConfirmAction({ user, action, onClose }: DialogProps & { action: Action }) {
  const update = useUpdateUser();
  return (
    <Confirm
      title={`${action.label}: ${user.display_name}?`}
      action={action.label}
      isDangerous={action.isDangerous}
      doing={update}
      onConfirm={() => update.mutate({ user, change: action.change }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>{action.explanation}</Text>
    </Confirm>
  );
}

function DeleteUser({ user, onClose }: DialogProps) {
  const deletion = useDeleteUser();
  return (
    <Confirm
      title={`Delete ${user.display_name}?`}
      action="Delete"
      isDangerous
      typed={user.name}
      doing={deletion}
      onConfirm={() => deletion.mutate(user, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        Their sessions, API tokens, memberships, webhooks and feeds go at once, and cannot be brought back. The audit
        log keeps their name. Somebody who owns apps, or is the last admin of an organization, cannot be deleted yet.
      </Text>
    </Confirm>
  );
}

function PasswordLink({ user, onClose }: DialogProps) {
  const making = useResetPassword();
  // Kept here and nowhere else, and goes with the dialog.
  const [link, setLink] = useState<string>();
  if (link) {
    const warning =
      'Pass the link on now: after closing this dialog it cannot be displayed again. It works once, for an hour.';
    return <SecretValue secrets={[['Link', link]]} warning={warning} onClose={onClose} />;
  }
  const make = () =>
    making.mutate(user, {
      onSuccess: (made) => {
        setLink(made.link);
        making.reset();
      },
    });
  return (
    <Form action="Create the link" sending={making} onCancel={onClose} onSend={make}>
      <Text>Whoever opens it sets a new password for {user.display_name}. Links made before no longer work.</Text>
    </Form>
  );
}

function SetPassword({ user, onClose }: DialogProps) {
  const update = useUpdateUser();
  return (
    <Form
      action="Set password"
      sending={update}
      onCancel={onClose}
      onSend={(fields) =>
        update.mutate(
          { user, change: { password: fields.secret('password'), revoke_tokens: fields.isOn('revoke_tokens') } },
          { onSuccess: onClose },
        )
      }
    >
      <Text>Their sessions end at once. Tell them the new password; they can change it in their profile.</Text>
      <NewPassword name="password" label="New password" whose="their" data-autofocus />
      <RevokeTokens whose="their" />
    </Form>
  );
}
