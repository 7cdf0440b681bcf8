"""ProxyCommand of the SSH client: its input and output are the unix socket of one host."""
import os
import select
import socket
import sys

peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
peer.connect(sys.argv[1])
reading = [peer, 0]
while peer in reading:
    for ready in select.select(reading, [], [])[0]:
        if ready == 0:
            data = os.read(0, 65536)
            if data:
                peer.sendall(data)
            else:
                reading.remove(0)
                peer.shutdown(socket.SHUT_WR)
        else:
            data = peer.recv(65536)
            if not data:
                reading.remove(peer)
                break
            while data:
                data = data[os.write(1, data):]
