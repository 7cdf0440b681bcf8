"""
Becomes other accounts of a host as sudo does, and says so in front: the worker, which has the passwords, then switches the
account itself where the user may use it. Otherwise the host runs what is behind, sudo without a password.
"""
import base64
import shlex

from ansible.plugins.become import BecomeBase

DOCUMENTATION = """
    name: castellan
    short_description: Become another account by the worker, or by sudo without a password
    description:
        - The worker answers the prompt of the host.
    options:
        become_user:
            description: Account to become
            default: root
            vars:
              - name: ansible_become_user
            keyword:
              - name: become_user
        become_exe:
            description: Not used
            default: sudo
            keyword:
              - name: become_exe
        become_flags:
            description: Not used
            default: ''
            keyword:
              - name: become_flags
        become_pass:
            description: Not used
            required: False
"""


class BecomeModule(BecomeBase):
    name = 'castellan'
    missing = ('sudo: a password is required',)

    def build_become_command(self, cmd, shell):
        super().build_become_command(cmd, shell)
        if not cmd:
            return cmd
        user = self.get_option('become_user') or 'root'
        sudo = 'sudo -H -S -n -u %s' % shlex.quote(user)
        named = base64.b64encode(user.encode()).decode()
        return 'CASTELLAN_BECOME=%s:%d %s %s' % (named, len(sudo), sudo, self._build_success_command(cmd, shell))
