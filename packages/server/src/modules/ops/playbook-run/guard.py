"""
Starts a program of a user inside of the sandbox with limits, and watches over it as the first process there. A limit that
cannot be set ends it with status 125 before the program has begun.

    guard.py PROGRAM ARGUMENTS...
"""
import ctypes
import os
import platform
import resource
import signal
import struct
import sys

MIB = 1024 * 1024
# Of all processes together; pages that they share count once.
MEMORY = 2048 * MIB
# Processes and threads.
PROCESSES = 512
LIMITS = {
    resource.RLIMIT_NPROC: PROCESSES,
    resource.RLIMIT_AS: 1024 * MIB,
    resource.RLIMIT_FSIZE: 128 * MIB,
    resource.RLIMIT_NOFILE: 1024,
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_MEMLOCK: 0,
    resource.RLIMIT_MSGQUEUE: 0,
}
SECONDS_BETWEEN_LOOKS = 0.2
libc = ctypes.CDLL(None, use_errno=True)

EPERM, ENOSYS = 1, 38
# Of the system calls that are refused, the numbers on both machines; None where a machine does not have it.
ARCHITECTURES = {'x86_64': (0, 0xC000003E), 'aarch64': (1, 0xC00000B7)}
REFUSED = {
    # Other namespaces and mounts, from where rights could be had again.
    'unshare': (272, 97), 'setns': (308, 268), 'mount': (165, 40), 'umount2': (166, 39), 'pivot_root': (155, 41),
    'chroot': (161, 51), 'open_tree': (428, 428), 'move_mount': (429, 429), 'fsopen': (430, 430), 'fsconfig': (431, 431),
    'fsmount': (432, 432), 'fspick': (433, 433), 'mount_setattr': (442, 442),
    # Other processes.
    'ptrace': (101, 117), 'process_vm_readv': (310, 270), 'process_vm_writev': (311, 271), 'kcmp': (312, 272),
    'pidfd_getfd': (438, 438),
    # Parts of the kernel that programs of playbooks have no use for.
    'bpf': (321, 280), 'perf_event_open': (298, 241), 'userfaultfd': (323, 282), 'io_uring_setup': (425, 425),
    'io_uring_enter': (426, 426), 'io_uring_register': (427, 427), 'add_key': (248, 217), 'request_key': (249, 218),
    'keyctl': (250, 219), 'fanotify_init': (300, 262), 'name_to_handle_at': (303, 264), 'open_by_handle_at': (304, 265),
    'lookup_dcookie': (212, 18), 'quotactl': (179, 60), 'acct': (163, 89), 'syslog': (103, 116),
    'personality': (135, 92), 'modify_ldt': (154, None), 'iopl': (172, None), 'ioperm': (173, None),
    'move_pages': (279, 239), 'migrate_pages': (256, 238), 'vhangup': (153, 58),
    # The machine itself.
    'init_module': (175, 105), 'finit_module': (313, 273), 'delete_module': (176, 106), 'kexec_load': (246, 104),
    'kexec_file_load': (320, 294), 'reboot': (169, 142), 'swapon': (167, 224), 'swapoff': (168, 225),
    'sethostname': (170, 161), 'setdomainname': (171, 162), 'settimeofday': (164, 170), 'clock_settime': (227, 112),
    'adjtimex': (159, 171), 'clock_adjtime': (305, 266),
}
CLONE, CLONE3, SOCKET = (56, 220), (435, 435), (41, 198)
# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
NEW_NAMESPACES = 0x7E020000
# Unix, IPv4, IPv6, netlink: others, such as vsock, do not end at a network namespace.
FAMILIES = (1, 2, 10, 16)


def refuse(what):
    sys.stderr.write('the sandbox could not be closed (%s): nothing was run\n' % what)
    sys.stderr.flush()
    os._exit(125)


def call(what, number, *arguments):
    if libc.prctl(number, *(ctypes.c_ulong(one) if isinstance(one, int) else one for one in arguments)) != 0:
        refuse('%s: %s' % (what, os.strerror(ctypes.get_errno())))


def filter_of(machine):
    """The program that decides about system calls, in the machine language of seccomp."""
    place, architecture = ARCHITECTURES[machine]
    load, equal, at_least, any_of, answer = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, kill = 0x7FFF0000, 0x80000000
    error = 0x00050000
    lines = [(load, 0, 0, 4), (equal, 1, 0, architecture), (answer, 0, 0, kill), (load, 0, 0, 0)]
    if machine == 'x86_64':
        # Its second interface, whose numbers are others.
        lines += [(at_least, 0, 1, 0x40000000), (answer, 0, 0, kill)]
    for numbers in REFUSED.values():
        if numbers[place] is not None:
            lines += [(equal, 0, 1, numbers[place]), (answer, 0, 0, error | EPERM)]
    # Its flags are in memory: without it, programs use `clone`.
    lines += [(equal, 0, 1, CLONE3[place]), (answer, 0, 0, error | ENOSYS)]
    # The lower half of the first argument.
    lines += [(equal, 0, 4, CLONE[place]), (load, 0, 0, 16), (any_of, 0, 1, NEW_NAMESPACES), (answer, 0, 0, error | EPERM),
              (answer, 0, 0, allow)]
    lines += [(equal, 0, 2 + len(FAMILIES), SOCKET[place]), (load, 0, 0, 16)]
    lines += [(equal, len(FAMILIES) - at, 0, family) for at, family in enumerate(FAMILIES)]
    lines += [(answer, 0, 0, error | EPERM), (answer, 0, 0, allow)]
    return b''.join(struct.pack('HBBI', *line) for line in lines), len(lines)


def set_filter():
    if platform.machine() not in ARCHITECTURES:
        refuse('no filter for system calls of %s' % platform.machine())
    code, count = filter_of(platform.machine())
    kept = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = [('count', ctypes.c_ushort), ('code', ctypes.c_void_p)]

    program = Program(count, ctypes.cast(kept, ctypes.c_void_p))
    call('filter for system calls', 22, 2, ctypes.byref(program))


def begin(program):
    """Becomes the program, with every limit."""
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.setsid()
        os.nice(10)
        # Input, output and errors, and what the playbook says of itself.
        os.closerange(4, 65536)
        for limit, most in LIMITS.items():
            # Where the worker itself has less, less it is.
            hard = resource.getrlimit(limit)[1]
            value = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(limit, (value, value))
            if resource.getrlimit(limit) != (value, value):
                refuse('limit %d' % limit)
        call('no new rights', 38, 1, 0, 0, 0)
        set_filter()
        os.execvp(program[0], program)
    except BaseException as error:
        refuse(error)


def drop_rights():
    """Keeps the right to look at memory of others (CAP_SYS_PTRACE), and nothing else."""
    header = struct.pack('Ii', 0x20080522, 0)
    data = struct.pack('6I', 1 << 19, 1 << 19, 0, 0, 0, 0)
    if libc.capset(header, data) != 0:
        refuse('rights of the watcher')


def resident(one):
    try:
        with open('/proc/%s/statm' % one) as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0


def proportional(one):
    try:
        with open('/proc/%s/smaps_rollup' % one) as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith('Pss:'))
    except (OSError, StopIteration, ValueError):
        return resident(one)


def watch(child):
    """Waits for the program; ends everything, as the first process that goes, when it takes too much memory."""
    while True:
        signal.sigtimedwait([signal.SIGCHLD], SECONDS_BETWEEN_LOOKS)
        while True:
            try:
                ended, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return 1
            if ended == 0:
                break
            if ended == child:
                return os.waitstatus_to_exitcode(status)
        others = [one for one in os.listdir('/proc') if one.isdigit() and one != '1']
        # Exact numbers take longer.
        if sum(map(resident, others)) > MEMORY and sum(map(proportional, others)) > MEMORY:
            sys.stderr.write('the playbook was ended: it used more than %d MiB of memory\n' % (MEMORY // MIB))
            sys.stderr.flush()
            return 137


def main():
    if os.getpid() != 1:
        refuse('not the first process')
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    child = os.fork()
    if child == 0:
        begin(sys.argv[1:])
    drop_rights()
    status = watch(child)
    os._exit(status if status >= 0 else 128 - status)


main()
