// Verifies an ID token as kube-apiserver does by its flags, with the library of kube-apiserver (Debian's go-oidc):
// k8s.io/apiserver, plugin/pkg/authenticator/token/oidc. Prints the user and the groups as JSON.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	oidc "github.com/coreos/go-oidc"
)

// stringOrArray is the type of groups in kube-apiserver: a text or a list of texts.
type stringOrArray []string

func (values *stringOrArray) UnmarshalJSON(data []byte) error {
	var list []string
	if err := json.Unmarshal(data, &list); err == nil {
		*values = list
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	*values = []string{text}
	return nil
}

func main() {
	issuer := flag.String("oidc-issuer-url", "", "")
	client := flag.String("oidc-client-id", "", "")
	usernameClaim := flag.String("oidc-username-claim", "sub", "")
	usernamePrefix := flag.String("oidc-username-prefix", "", "")
	groupsClaim := flag.String("oidc-groups-claim", "", "")
	groupsPrefix := flag.String("oidc-groups-prefix", "", "")
	flag.Parse()
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, *issuer)
	check(err)
	verifier := provider.Verifier(&oidc.Config{ClientID: *client, SupportedSigningAlgs: []string{oidc.RS256}})
	token, err := verifier.Verify(ctx, flag.Arg(0))
	check(err)
	var claims map[string]json.RawMessage
	check(token.Claims(&claims))
	var username string
	check(json.Unmarshal(claims[*usernameClaim], &username))
	var groups stringOrArray
	check(json.Unmarshal(claims[*groupsClaim], &groups))
	for i, group := range groups {
		groups[i] = *groupsPrefix + group
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{"username": *usernamePrefix + username, "groups": groups}))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
