// Command castellan-test-vault is a HashiCorp Vault server for tests: the KV engine, tokens and AppRole, all in memory.
// It prints its root token and its unseal key as one line of JSON, and serves HTTP, or HTTPS with a certificate.
//
// Usage: castellan-test-vault ADDRESS [CERTIFICATE KEY]
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/hashicorp/go-hclog"
	kv "github.com/hashicorp/vault-plugin-secrets-kv"
	"github.com/hashicorp/vault/builtin/credential/approle"
	vaulthttp "github.com/hashicorp/vault/http"
	"github.com/hashicorp/vault/internalshared/configutil"
	"github.com/hashicorp/vault/sdk/helper/consts"
	"github.com/hashicorp/vault/sdk/logical"
	"github.com/hashicorp/vault/sdk/physical/inmem"
	"github.com/hashicorp/vault/vault"
)

func main() {
	logger := hclog.New(&hclog.LoggerOptions{Level: hclog.Error, Output: os.Stderr})
	storage, err := inmem.NewInmem(nil, logger)
	check(err)
	core, err := vault.NewCore(&vault.CoreConfig{
		Physical:           storage,
		Logger:             logger,
		BuiltinRegistry:    plugins{},
		DisableMlock:       true,
		LogicalBackends:    map[string]logical.Factory{"kv": kv.Factory},
		CredentialBackends: map[string]logical.Factory{"approle": approle.Factory},
	})
	check(err)
	made, err := core.Initialize(context.Background(), &vault.InitParams{
		BarrierConfig: &vault.SealConfig{SecretShares: 1, SecretThreshold: 1},
	})
	check(err)
	key := made.SecretShares[0]
	_, err = core.Unseal(key)
	check(err)
	listener, err := net.Listen("tcp", os.Args[1])
	check(err)
	facts, err := json.Marshal(map[string]string{"token": made.RootToken, "key": hex.EncodeToString(key)})
	check(err)
	fmt.Println(string(facts))
	properties := &vault.HandlerProperties{Core: core, ListenerConfig: &configutil.Listener{Type: "tcp"}}
	server := &http.Server{Handler: vaulthttp.Handler.Handler(properties)}
	if len(os.Args) > 3 {
		check(server.ServeTLS(listener, os.Args[2], os.Args[3]))
	}
	check(server.Serve(listener))
}

// plugins names the two engines that this server has.
type plugins struct{}

func (plugins) Contains(name string, kind consts.PluginType) bool {
	_, found := plugins{}.Get(name, kind)
	return found
}

func (plugins) Get(name string, kind consts.PluginType) (func() (interface{}, error), bool) {
	switch {
	case name == "kv" && kind == consts.PluginTypeSecrets:
		return func() (interface{}, error) { return logical.Factory(kv.Factory), nil }, true
	case name == "approle" && kind == consts.PluginTypeCredential:
		return func() (interface{}, error) { return logical.Factory(approle.Factory), nil }, true
	}
	return nil, false
}

func (plugins) Keys(kind consts.PluginType) []string {
	if kind == consts.PluginTypeSecrets {
		return []string{"kv"}
	}
	return []string{"approle"}
}

func (plugins) DeprecationStatus(name string, kind consts.PluginType) (consts.DeprecationStatus, bool) {
	return consts.Supported, plugins{}.Contains(name, kind)
}

func (plugins) IsBuiltinEntPlugin(string, consts.PluginType) bool { return false }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
